"""The statements behind SP-10K, in the dialect every engine of ours reads."""

from __future__ import annotations

FREQUENT = """
SELECT relation, head, dependent, count, place FROM (
  SELECT relation, head, dependent, count,
    CAST(row_number() OVER (
      PARTITION BY relation, head
      ORDER BY
        count DESC,
        md5(concat(CAST(:seed AS VARCHAR(20)), '|frequent|', relation, '|', head, '|', dependent)),
        dependent
    ) AS BIGINT) AS place
  FROM (
    SELECT c.relation, c.head, c.dependent, CAST(sum(c.count) AS BIGINT) AS count
    FROM counts c
    SEMI JOIN heads h ON h.relation = c.relation AND h.word = c.head
    SEMI JOIN dependents d ON d.relation = c.relation AND d.word = c.dependent
    WHERE c.dependent <> c.head
    GROUP BY c.relation, c.head, c.dependent
    HAVING sum(c.count) >= :min_frequent
  ) attested
) ranked
WHERE place <= :at_most
ORDER BY relation, head, place
"""
"""The most frequent dependents of each head, out of the vocabulary; ties go by the seed.

Semi joins, because a planner may begin a chain of joins with all heads times all dependents.
"""

RANDOM = """
SELECT relation, head, dependent, place FROM (
  SELECT h.relation, h.head, d.word AS dependent,
    CAST(row_number() OVER (
      PARTITION BY h.relation, h.head
      ORDER BY
        md5(concat(CAST(:seed AS VARCHAR(20)), '|', h.relation, '|', h.head, '|', d.word)),
        d.word
    ) AS BIGINT) AS place
  FROM chosen h
  JOIN dependents d ON d.relation = h.relation
  LEFT JOIN frequent f
    ON f.relation = h.relation AND f.head = h.head AND f.dependent = d.word
  WHERE f.dependent IS NULL AND d.word <> h.head
) ranked
WHERE place <= :at_most
ORDER BY relation, head, place
"""
"""Dependents of each head by chance, out of the vocabulary; never one of its frequent ones.

Every head meets every dependent, so `chosen` holds the heads of one relation at a time.
"""

ATTESTED = """
SELECT c.relation, c.head, c.dependent, CAST(sum(c.count) AS BIGINT) AS count
FROM counts c
JOIN paired p ON p.relation = c.relation AND p.head = c.head AND p.dependent = c.dependent
GROUP BY c.relation, c.head, c.dependent
ORDER BY c.relation, c.head, c.dependent
"""
"""How often the pairs drawn by chance are attested."""
