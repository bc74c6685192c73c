"""The published ways from answers to labels, by name, and those of one's own."""

from plausibly.domain import LabelScheme
from plausibly.errors import StudyError
from plausibly.registry import Registry

SCHEMES: Registry[LabelScheme] = Registry(
    "scheme",
    {
        "pap-multiclass": "plausibly.datasets.pap:MULTICLASS",
        "pap-binary": "plausibly.datasets.pap:BINARY",
        "adept-5": "plausibly.datasets.adept:FIVE_CLASSES",
        "adept-4": "plausibly.datasets.adept:FOUR_CLASSES",
        "adept-3": "plausibly.datasets.adept:THREE_CLASSES",
    },
)


def scheme_of(text: str) -> LabelScheme:
    """Return a published scheme by its name, or the one a text writes down.

    A text has classes between bars, each with its label, an equals sign and the answers that mean
    it; an answer that stands nowhere votes for no label.

    >>> scheme_of("no=1,2|neutral=3|yes=4,5").labels
    ('no', 'neutral', 'yes')
    >>> dict(scheme_of("no=1,2|yes=4,5").of)
    {'1': 'no', '2': 'no', '4': 'yes', '5': 'yes'}
    """
    if "=" not in text:
        return SCHEMES[text]
    of: dict[str, str] = {}
    labels = []
    for part in text.split("|"):
        label, _, answers = (piece.strip() for piece in part.partition("="))
        named = [answer.strip() for answer in answers.split(",") if answer.strip()]
        twice = [answer for answer in named if answer in of]
        if not label or not named or label in labels or twice:
            raise StudyError(
                f"scheme {text!r}: {part!r} does not map a label to answers. "
                "Write it as no=1,2|neutral=3|yes=4,5."
            )
        labels.append(label)
        of.update(dict.fromkeys(named, label))
    return LabelScheme(text, tuple(labels), of)
