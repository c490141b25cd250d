import pytest

from verifier.core.tokens import count_tokens, tokens_if_close

# Published vectors of cl100k_base (text, number of tokens).
VECTORS = [
    ("", 0),
    ("hello world", 2),
    ("tiktoken is great!", 6),
    ("antidisestablishmentarianism", 6),
    ("2 + 2 = 4", 7),
    ("お誕生日おめでとう", 9),
]


@pytest.mark.parametrize(("text", "tokens"), VECTORS)
def test_counts_agree_with_published_vectors(text, tokens):
    assert count_tokens(text) == tokens


def test_a_special_token_in_a_proof_is_plain_text():
    assert count_tokens("<|endoftext|>") == 7


def test_a_text_of_more_bytes_than_the_limit_is_counted_exactly():
    text = " ∀" * 1200
    assert tokens_if_close(text, 2048) == count_tokens(text) > 0
    assert tokens_if_close("a b" * 1_000_000, 2048) == count_tokens("a b" * 1_000_000)


def test_a_text_of_at_most_as_many_bytes_as_tokens_is_not_counted():
    assert tokens_if_close("∀" * 682, 2048) == 0
    assert tokens_if_close("x" * 2048, 2048) == 0
    assert tokens_if_close("x y" * 683, 2048) > 0
