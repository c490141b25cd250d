"""What is kept of a stream that says more than it may."""

import pytest

from verifier.sandbox.supervise import Capture


@pytest.mark.parametrize("cap", [1, 2, 7, 8])
def test_a_stream_within_its_cap_is_kept_whole_however_it_comes(cap):
    said = bytes(range(cap))
    at_once, piecemeal = Capture(cap), Capture(cap)
    at_once.add(said)
    for byte in said:
        piecemeal.add(bytes([byte]))
    assert at_once.kept() == piecemeal.kept() == said


@pytest.mark.parametrize("step", [1, 3, 100])
def test_of_a_longer_one_head_and_tail_stay_and_the_gap_is_counted(step):
    said = bytes(range(100))
    capture = Capture(9)
    for start in range(0, len(said), step):
        capture.add(said[start : start + step])
    assert capture.kept() == said[:4] + b"\n[91 bytes left out]\n" + said[-5:]
    assert capture.total == 100
