"""The tables of environment variables: what must hold of every row."""

from __future__ import annotations

from collections import Counter

from genjob.catalog.variables import FIELDS, GROUPS, REGISTRY, lookup
from genjob.catalog.variables.families import FAMILIES, family_of
from genjob.catalog.variables.misnomers import MISNOMERS
from genjob.catalog.variables.sources import SOURCES
from genjob.catalog.variables.variable import LEVELS, Grammar, ValueType
from genjob.variables import check_text, environment_name, field_name

ROWS = [row for rows in GROUPS.values() for row in rows]
FABRICS = {
    *("ethernet", "infiniband", "roce", "aws-efa", "gcp-tcpx", "gcp-tcpxo", "gcp-gib"),
    *("azure-ib", "oci-roce", "coreweave-ib", "nvlink"),
}
WITH_CHOICES = {ValueType.CODE, ValueType.CHOICE}
MEANING_WIDTH = 90


def test_each_name_has_one_row() -> None:
    assert [] == [name for name, count in Counter(row.name for row in ROWS).items() if count > 1]


def test_the_rows_of_a_table_are_sorted_by_name() -> None:
    for title, rows in GROUPS.items():
        names = [row.name for row in rows]
        assert sorted(names) == names, title


def test_a_field_is_its_variable_by_rule_and_not_by_table() -> None:
    for field, row in FIELDS.items():
        assert row.name == environment_name(field)
        assert field == field_name(row.name)


def test_every_variable_of_the_family_of_nccl_is_a_field() -> None:
    assert {name for name in REGISTRY if name.startswith("NCCL_")} == {
        row.name for row in FIELDS.values()
    }


def test_no_row_is_found_by_a_name_that_nobody_reads() -> None:
    assert set() == MISNOMERS.keys() & REGISTRY.keys()


def test_a_meaning_is_one_line() -> None:
    assert [] == [row.name for row in ROWS if not 0 < len(row.meaning) <= MEANING_WIDTH]
    assert [] == [row.name for row in ROWS if not row.meaning.endswith(".")]


def test_a_note_is_whole_sentences() -> None:
    assert [] == [row.name for row in ROWS if row.note and not row.note.endswith((".", "N."))]


def test_every_row_cites_a_source_that_is_listed_and_every_source_is_cited() -> None:
    assert set(SOURCES) == {row.source for row in ROWS}


def test_fabrics_are_names_of_profiles() -> None:
    assert {fabric for row in ROWS for fabric in row.fabrics} <= FABRICS


def test_a_variable_of_a_few_values_lists_them() -> None:
    assert [] == [row.name for row in ROWS if row.type in WITH_CHOICES and not row.choices]


def test_words_that_are_compared_letter_by_letter_are_in_upper_case() -> None:
    told = [row for row in ROWS if row.case_sensitive]
    assert [] == [row.name for row in told if any(word != word.upper() for word in row.choices)]
    assert "NCCL_P2P_LEVEL" in {row.name for row in told}


def test_levels_that_only_newer_releases_know_are_all_levels() -> None:
    assert {row.newer_choices for row in ROWS} == {(), LEVELS}
    assert [] == [
        row.name for row in ROWS if row.newer_choices and not set(row.choices) < {*LEVELS}
    ]


def test_a_default_passes_the_check_of_its_variable() -> None:
    kept = [row for row in ROWS if row.default is not None and not (row.removed or row.deprecated)]
    told = {row.name: check_text(row.name, str(row.default)) for row in kept}
    assert {} == {name: problem for name, problem in told.items() if problem}


def test_a_bound_includes_the_default() -> None:
    bounded = [row for row in ROWS if row.type is ValueType.INTEGER and row.default]
    numbers = {row.name: int(row.default or 0) for row in bounded if row.default != "auto"}
    outside = [
        row.name
        for row in bounded
        if row.name in numbers
        and not (row.minimum is None or row.minimum <= numbers[row.name])
        and not (row.maximum is None or numbers[row.name] <= row.maximum)
    ]
    assert [] == outside


def test_what_replaces_a_variable_is_a_variable_that_is_current() -> None:
    replaced = {row.name: row.replaced_by.partition("=")[0] for row in ROWS if row.replaced_by}
    assert set(replaced.values()) <= set(REGISTRY)
    old = {name for name, new in replaced.items() if REGISTRY[new].removed}
    assert set() == old


def test_what_to_write_instead_of_a_replaced_value_passes_its_check() -> None:
    for row in ROWS:
        name, _, value = row.replaced_by.partition("=")
        if value:
            assert check_text(name, value) is None


def test_only_what_is_deprecated_is_obsolete() -> None:
    assert [] == [row.name for row in ROWS if row.obsolete and not row.deprecated]


def test_a_grammar_belongs_to_a_text_or_a_list() -> None:
    with_grammar = {row.type for row in ROWS if row.grammar and row.grammar is not Grammar.THREADS}
    assert {ValueType.LIST, ValueType.TEXT} == with_grammar


def test_every_grammar_is_that_of_a_variable() -> None:
    assert set(Grammar) == {row.grammar for row in ROWS if row.grammar}


def test_a_family_within_another_stands_before_it() -> None:
    for family in FAMILIES:
        assert family is family_of(family.prefix), family


def test_a_row_is_found_by_its_variable_and_its_field_in_any_case() -> None:
    expected = REGISTRY["NCCL_IB_HCA"]
    assert [expected] * 4 == [
        lookup(word) for word in ("NCCL_IB_HCA", "nccl_ib_hca", "ib_hca", "IB_HCA")
    ]
    assert lookup("ib_hcas") is None
