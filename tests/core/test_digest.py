import pytest

from verifier.core.digest import digest_bytes, digest_mapping, digest_text


def test_a_text_has_the_published_digest_of_its_utf8_form():
    assert digest_text("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert digest_text("\u2200x") == digest_bytes("\u2200x".encode())


def test_a_mapping_is_named_by_its_content_and_not_by_its_order():
    assert digest_mapping({"a": "1", "b": "2"}) == digest_mapping({"b": "2", "a": "1"})


@pytest.mark.parametrize(
    "other", [{"a": "1"}, {"a": "1", "b": "3"}, {"a": "12", "b": ""}, {"b": "1", "a": "2"}, {"a": '1","b":"2'}]
)
def test_different_mappings_have_different_digests(other):
    assert digest_mapping({"a": "1", "b": "2"}) != digest_mapping(other)


def test_a_lone_surrogate_is_refused_rather_than_replaced():
    with pytest.raises(UnicodeEncodeError):
        digest_text("\ud800")
