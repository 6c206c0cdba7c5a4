"""The syntax of names: what is wrong with one, in words, or nothing."""

from __future__ import annotations

import pytest

from genjob.rules import names


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("a", ""),
        ("a-1", ""),
        ("l" * 63, ""),
        ("", "is empty"),
        ("l" * 64, "has 64 characters, 63 are allowed"),
        ("-a", "begins with '-'"),
        ("a-", "ends with '-'"),
        ("a.b", "contains '.'"),
        ("a b", "contains a space"),
        ("../../x", "contains '.'"),
        ("Á", "contains 'Á'"),
        ("a\n", r"contains '\n'"),
    ],
)
def test_a_dns_label_has_lower_case_letters_digits_and_hyphens(name: str, fault: str) -> None:
    assert fault == names.dns_label(name)
    assert fault == names.dns_1035_label(name)


def test_only_a_label_of_a_service_needs_a_letter_in_front() -> None:
    assert "" == names.dns_label("7b")
    assert "begins with '7', not with a letter" == names.dns_1035_label("7b")


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("a.b-c.0", ""),
        ("l" * 253, ""),
        ("l" * 254, "has 254 characters, 253 are allowed"),
        ("", "is empty"),
        ("a..b", "contains '..'"),
        ("a.-b", "contains '.-'"),
        (".a", "begins with '.'"),
        ("a-", "ends with '-'"),
        ("A.b", "contains 'A'"),
    ],
)
def test_a_dns_subdomain_is_labels_with_dots(name: str, fault: str) -> None:
    assert fault == names.dns_subdomain(name)


@pytest.mark.parametrize(
    ("key", "fault"),
    [
        ("app", ""),
        ("app.kubernetes.io/Name_1", ""),
        ("/name", "has a prefix that is empty"),
        ("example.com/", "is empty"),
        ("a/b/c", "has a prefix that contains '/'"),
        ("example.com/" + "l" * 64, "has 64 characters, 63 are allowed"),
        ("_a", "begins with '_'"),
    ],
)
def test_a_label_key_is_a_name_with_a_dns_prefix_where_wanted(key: str, fault: str) -> None:
    assert fault == names.qualified_name(key)


@pytest.mark.parametrize(
    ("value", "fault"),
    [("", ""), ("v1.10", ""), ("a/b", "contains '/'"), ("no.", "ends with '.'")],
)
def test_a_label_value_may_be_empty(value: str, fault: str) -> None:
    assert fault == names.label_value(value)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("http", ""),
        ("pytorchjob-port", ""),
        ("pytorchjob-ports", "has 16 characters, 15 are allowed"),
        ("a--b", "contains '--'"),
        ("8080", "has no letter"),
        ("HTTP", "contains 'H'"),
    ],
)
def test_a_port_name_is_short_and_has_a_letter(name: str, fault: str) -> None:
    assert fault == names.port_name(name)


@pytest.mark.parametrize(
    ("key", "fault"),
    [
        ("train_config.yaml", ""),
        (".hidden", ""),
        ("", "is empty"),
        (".", "begins with '.'"),
        ("..data", "begins with '..'"),
        ("a/b", "contains '/'"),
        ("k" * 254, "has 254 characters, 253 are allowed"),
    ],
)
def test_a_key_of_a_config_map_can_be_a_file_name(key: str, fault: str) -> None:
    assert fault == names.config_key(key)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("run-v0.1", "run-v0-1"),
        ("7b_SFT", "job-7b-sft"),
        ("-Llama 3-", "llama-3"),
        ("__", "job"),
        ("l" * 70, "l" * 63),
    ],
)
def test_the_suggested_name_is_the_nearest_label(name: str, label: str) -> None:
    assert label == names.label_suggestion(name)
    assert "" == names.dns_1035_label(label)
