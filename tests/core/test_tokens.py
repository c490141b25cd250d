import pytest

from verifier.core.tokens import count_tokens, tokens_over

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


def test_the_limit_itself_is_allowed_and_one_more_is_over():
    text = " ∀" * 1200
    exact = count_tokens(text)
    assert tokens_over(text, exact) is None
    assert tokens_over(text, exact - 1) == exact


def test_a_text_of_at_most_as_many_bytes_as_tokens_is_never_over():
    assert tokens_over("∀" * 682, 2048) is None
    assert tokens_over("a b" * 1_000_000, 2048) == count_tokens("a b" * 1_000_000)
