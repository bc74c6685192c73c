"""The statements: one SQL text for every engine.

Rules of the shared dialect: keys are never null, sums are cast to BIGINT, order is explicit and
by bytes, lower-casing happens in Python, literals hold no backslash.
"""

from __future__ import annotations

from plausibly.errors import StudyError

COUNTED = """
SELECT ':relation' AS relation, head, dependent, CAST(sum(count) AS BIGINT) AS count
FROM pairs
WHERE relation = ':relation'
GROUP BY head, dependent
HAVING sum(count) >= :min_count
ORDER BY head, dependent
"""
"""`counts` of one relation: every pair that occurs at least `min_count` times.

Relations are counted one after the other: two keys sort in two thirds of the time that three take,
and memory holds one relation at a time.
"""

COUNTED_TRIPLES = """
SELECT
  dependent AS subject,
  head AS verb,
  object,
  CAST(sum(count) AS BIGINT) AS count,
  CAST(sum(negated) AS BIGINT) AS negated,
  CAST(sum(modal) AS BIGINT) AS modal,
  CAST(sum(question) AS BIGINT) AS question,
  CAST(sum(particle) AS BIGINT) AS particle
FROM pairs
WHERE relation = 'svo'
GROUP BY dependent, head, object
HAVING sum(count) >= :min_count
ORDER BY subject, verb, object
"""
"""`svo`: every triple that occurs at least `min_count` times, and how many of them are marked."""

MARKED = """
SELECT
  CAST(coalesce(sum(count), 0) AS BIGINT) AS triples,
  CAST(coalesce(sum(negated), 0) AS BIGINT) AS negated,
  CAST(coalesce(sum(modal), 0) AS BIGINT) AS modal,
  CAST(coalesce(sum(question), 0) AS BIGINT) AS question,
  CAST(coalesce(sum(particle), 0) AS BIGINT) AS particle
FROM pairs
WHERE relation = 'svo'
"""
"""How often triples occur, however rare, and how many of them are marked."""

EXAMPLES_OF_PAIRS = """
SELECT
  ':relation' AS relation, head, dependent, CAST(NULL AS STRING) AS object,
  place_in_order AS rank, document, place, sentence
FROM (
  SELECT
    s.head AS head, s.dependent AS dependent, s.document AS document, s.place AS place,
    s.sentence AS sentence,
    CAST(row_number() OVER (
      PARTITION BY s.head, s.dependent ORDER BY s.hash, s.document, s.place
    ) AS BIGINT) AS place_in_order
  FROM sentences s
  JOIN counts k ON k.relation = s.relation AND k.head = s.head AND k.dependent = s.dependent
  WHERE s.relation = ':relation'
) ranked
WHERE place_in_order <= :examples
ORDER BY head, dependent, rank
"""
"""`examples` of one relation: the sentences that rank first for each pair that is kept."""

EXAMPLES_OF_TRIPLES = """
SELECT
  'svo' AS relation, head, dependent, object,
  place_in_order AS rank, document, place, sentence
FROM (
  SELECT
    s.head AS head, s.dependent AS dependent, s.object AS object, s.document AS document,
    s.place AS place, s.sentence AS sentence,
    CAST(row_number() OVER (
      PARTITION BY s.head, s.dependent, s.object ORDER BY s.hash, s.document, s.place
    ) AS BIGINT) AS place_in_order
  FROM sentences s
  JOIN triples k ON k.verb = s.head AND k.subject = s.dependent AND k.object = s.object
  WHERE s.relation = 'svo'
) ranked
WHERE place_in_order <= :examples
ORDER BY head, dependent, object, rank
"""
"""`examples` of triples; `head` is the verb and `dependent` the subject."""

TOKENS = """
SELECT relation, CAST(sum(count) AS BIGINT) AS tokens
FROM pairs
GROUP BY relation
ORDER BY relation
"""
"""How often each relation occurs, however rare its pairs."""

PAIR_STATISTICS = """
SELECT
  relation,
  CAST(count(*) AS BIGINT) AS types,
  CAST(count(DISTINCT head) AS BIGINT) AS heads,
  CAST(count(DISTINCT dependent) AS BIGINT) AS dependents
FROM counts
GROUP BY relation
ORDER BY relation
"""
"""Types of each relation and of each function in it."""

TRIPLE_STATISTICS = """
SELECT
  CAST(count(*) AS BIGINT) AS types,
  CAST(count(DISTINCT subject) AS BIGINT) AS subjects,
  CAST(count(DISTINCT verb) AS BIGINT) AS verbs,
  CAST(count(DISTINCT object) AS BIGINT) AS objects
FROM triples
"""
"""Types of triples and of each function in them (PAP, footnote 8)."""

SAMPLED = """
SELECT document
FROM documents
ORDER BY md5(concat(':seed|', document)), document
LIMIT :articles
"""
"""A seeded sample of documents, by the rule `sampling.rank` follows."""

STATEMENTS = {
    "counted": COUNTED,
    "counted_triples": COUNTED_TRIPLES,
    "marked": MARKED,
    "examples_of_pairs": EXAMPLES_OF_PAIRS,
    "examples_of_triples": EXAMPLES_OF_TRIPLES,
    "tokens": TOKENS,
    "pair_statistics": PAIR_STATISTICS,
    "triple_statistics": TRIPLE_STATISTICS,
    "sampled": SAMPLED,
}


def filled(statement: str, **values: int | str) -> str:
    """Return the statement with a whole number or a plain name in the place of each `:name`.

    >>> filled("WHERE relation = ':relation' LIMIT :articles", relation="amod", articles=3)
    "WHERE relation = 'amod' LIMIT 3"
    """
    for name, value in values.items():
        if isinstance(value, str) and not value.isidentifier():
            raise StudyError(f"{value!r} is not a plain name, so no SQL statement can use it.")
        statement = statement.replace(f":{name}", str(value))
    return statement
