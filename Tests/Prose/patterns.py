"""What the prose check looks for: patterns of English that a reader has to read twice, and spellings.

Each pattern has a name, a regular expression for one sentence, the kinds of text in which it counts, and advice. The kinds are `docs` (Markdown),
`comment` (Swift), `message` (strings in Sources), `interface` (templates/strings/en.yml), and `test` (display names and function names of tests).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

PROSE = ("docs", "comment", "message", "interface", "test")
WORDS = ("docs", "message", "interface")


@dataclass(frozen=True)
class Pattern:
  name: str
  expression: re.Pattern[str]
  advice: str
  kinds: tuple[str, ...] = PROSE


def pattern(name: str, expression: str, advice: str, kinds: tuple[str, ...] = PROSE, flags: int = re.IGNORECASE) -> Pattern:
  return Pattern(name, re.compile(expression, flags), advice, kinds)


# Words after "is no" that make it usual English.
USUAL_NO = "longer|more|less|other|such|one|doubt|need|way|match|matter|reason|room|use|sign|limit|guarantee|default|point|space|difference"
BRITISH = (
  "colour|behaviour|honour|favour|neighbour|flavour|rumour|labour|centre|metre|theatre|grey|catalogue|dialogue|licence|analyse|paralyse|"
  "organise|recognise|normalise|initialise|serialise|summarise|capitalise|minimise|maximise|optimise|emphasise|synchronise|cancelled|cancelling|"
  "labelled|travelled|modelled|artefact|whilst|amongst|programme")

PATTERNS = (
  pattern(
    "opener", r"^(Of (?!course)|Where (?!to )|What (?!to |is new|must )|Whoever |Who (?!to )|By what |To whom |In what ).*[.:;]$",
    "put the subject first", ("docs", "comment", "message", "interface"), 0),
  pattern(
    "is-none", r"\b(that|which|who|it|this|they|there)?\s*(is|are|was|were) none\b(?! of)", "use a noun: “an invalid image”, “if it is missing”"),
  pattern("is-no", rf"\b(is|are|was|were) no (?!({USUAL_NO})\b)(?<!there is no )(?<!there are no )(?<!there was no )(?<!there were no )[a-z]+", "write “is not a …”"),
  pattern(
    "one-a", r"\b(one|two|three|a|an|\d+) [a-z]+ a (post|thread|line|file|page|site|account|person|network)\b", "write “one … per …”"),
  pattern("what-clause", r"(?<=[a-z,;] )(?<!states )(?<!state )(?<!lists )(?<!describes )(?<!explains )(?<!records )(?<!decides )(?<!decide )(?<!explain )(?<!and )(?<!or )what (is|are|was|were|it|they|he|she|comes|came|can|could|has|had|nobody|somebody)\b", "use a noun instead of a clause with “what”"),
  pattern("to-be-had", r"\b(to|can|could|cannot|can't|not) be had\b|\bcan be had\b", "write “available”"),
  pattern("mend", r"\b(mend(s|ed|ing)?|nought|forever and|for ever|whereof|thereof|wherein|hitherto|thither|whence|of late|e\.g\. that)\b", "use the modern word"),
  pattern("too", r", too(?=[.,;:)]|$)", "write “also”"),
  pattern("says", r"\b(program|file|build|command|page|server|message|error|test|host|network|answer|response|site|it|which|that|X) (says|said|tells|told)\b(?! so\b)", "write “reports”, “prints” or “states”"),
  pattern("is-said", r"\b(is|are|was|were|be) (said|told)\b", "write “is reported”", ("docs", "comment", "message", "test")),
  pattern("taken-for", r"\b(takes?|took|taken) (for|along|over|in)\b|\bis taken for\b", "name the action", ("docs", "comment", "message", "test")),
  pattern("as-it-is", r"\bas (it|they) (is|are|was|were)(?=[.,;]|$)", "write “unchanged”", ("comment", "message", "test")),
  pattern("british", rf"\b({BRITISH})(s|d|ed|r|rs|ing|al|able)?\b", "use American spelling"),
  pattern("pronoun-that", r"\bthat of (?!the\b)[a-z]+ that\b|\bthose (of|that|which|who) [^,.]{1,60} (those|that|which) ", "repeat the noun", ("docs", "comment", "message")),
)

# Names of functions with `@Test`: they state the behavior as a sentence that begins with a verb or a noun.
TEST_NAME = re.compile(r"^(what|who|whoever|where|whatever|of|so|such|but|whether|which|whose|by|to|as)(?=[A-Z])")

LONGEST_SENTENCE = 40
