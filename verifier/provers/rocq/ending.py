"""Whether a proof ends as the prover wants it: what is said before it is sent, since the prover will not accept it.

No verdict depends on it: a proof that is told of here goes to the prover all the same.
"""

import re
from typing import Final

from verifier.core import rocq
from verifier.core.finding import Consequence, Finding
from verifier.core.text import place_of

_END: Final = re.compile(r"(?<![\w'])(?:Qed|Defined)\s*\.\s*\Z")
_LONGEST: Final = len("x Defined.")


def unended(text: str) -> list[Finding]:
    """One finding where no `Qed.` or `Defined.` is the last word, placed at the last word that there is.

    `text` is one that policy has nothing against; where in doubt, nothing is said.
    """
    if _END.search(text.rstrip()[-_LONGEST:]):  # as nearly all do
        return []
    bare = rocq.without_comments(text).rstrip()
    if not bare or _END.search(bare):
        return []
    line, column = place_of(text, len(bare) - 1)
    message = "The proof does not end with `Qed.` or `Defined.`, so the prover will not accept it."
    remedy = "Write `Qed.` as its last word; sent as it is, it counts as failed."
    return [Finding(Consequence.FAILING, message, remedy, line=line, column=column)]
