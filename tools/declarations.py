"""TypeScript declarations of Kubernetes models → strict JSON Schemas of their fields.

The packages `@kubernetes-models/*` hold the Go types of a project, each in a file: as a class,
which unlike its interface also has the fields of embedded types. This reads the few forms that they
are written in; anything else is an error, so that a newer package cannot be half understood.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Schema: TypeAlias = dict[str, Any]

_NO_FIELD = re.compile(r"/\*\*.*?\*/|^ +(?:static|constructor)\b.*?;$", re.MULTILINE | re.DOTALL)
_CLASS = re.compile(r"^export declare class (\w+) [^{]*(\{\n.*?^\})", re.MULTILINE | re.DOTALL)
_ALIAS = re.compile(r"^export type I(\w+) = (.+?);\n(?=export )", re.MULTILINE | re.DOTALL)
_LONG_NAME = re.compile(r"^export type \{ I(\w+) as I(\w+)", re.MULTILINE)
_TOKEN = re.compile(r'\s*("[^"]*"|\[key: string\]|Array<|\w+|[{}>?:;|])')

_SCALARS: Mapping[str, Schema] = {
    "string": {"type": "string"},
    "boolean": {"type": "boolean"},
    "number": {"type": "integer", "format": "int64"},  # Go has no other numbers in these types
}


class Declarations:
    """The types of a package, by the long names under which they refer to each other."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._bodies: dict[str, str] = {}
        self._short: dict[str, str] = {}
        for text in texts:
            bare = _NO_FIELD.sub("", text)
            bodies = dict(_CLASS.findall(bare)) | dict(_ALIAS.findall(bare))
            for short, long in _LONG_NAME.findall(bare):
                if short in bodies:
                    self._bodies[long], self._short[long] = bodies[short], short

    def schema(self, name: str, own: Mapping[str, Schema]) -> tuple[Schema, dict[str, Schema]]:
        """Return the schema of a type and, by short name, of all that it refers to.

        `own` has the types of other packages by their long names.

        Raises:
            ValueError: a type is written in an unknown form, is nowhere, or shares its short name.
        """
        shared: dict[str, Schema] = {}
        seen: dict[str, str] = {}
        waiting = [name]
        while waiting:
            long = waiting.pop()
            short = self._short.get(long, long)
            if seen.setdefault(short, long) != long:
                raise ValueError(f"two types are called {short!r}: {seen[short]} and {long}")
            if short not in shared:
                shared[short] = own[long] if long in own else self._type(long)
                waiting += _references(shared[short])
        named = {short: self._shortened(each) for short, each in shared.items()}
        return named.pop(self._short[name]), named

    def _type(self, long: str) -> Schema:
        if long not in self._bodies:
            raise ValueError(f"type {long!r} is declared nowhere")
        return _Reader(self._bodies[long]).whole()

    def _shortened(self, schema: Schema) -> Schema:
        made: Schema = json.loads(json.dumps(schema), object_hook=self._short_reference)
        return made

    def _short_reference(self, schema: Schema) -> Schema:
        if isinstance(name := schema.get("$ref"), str):
            return {"$ref": f"#/$defs/{self._short.get(name, name)}"}
        return schema


def _references(schema: Schema) -> Iterator[str]:
    for key, value in schema.items():
        if key == "$ref":
            yield value
        elif isinstance(value, dict):
            yield from _references(value)


class _Reader:
    """Reads one type, word by word."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def whole(self) -> Schema:
        made = self._type()
        if self._text[self._at :].strip():
            raise self._unknown()
        return made

    def _unknown(self) -> ValueError:
        return ValueError(f"a type in an unknown form: {self._text[self._at :][:80]!r}")

    def _peek(self) -> str:
        match = _TOKEN.match(self._text, self._at)
        return match[1] if match else ""

    def _next(self, expected: str = "") -> str:
        match = _TOKEN.match(self._text, self._at)
        if match is None or (expected and match[1] != expected):
            raise self._unknown()
        self._at = match.end()
        return match[1]

    def _type(self) -> Schema:
        word = self._next()
        if word == "{":
            return self._mapping() if self._peek() == "[key: string]" else self._fields()
        if word == "Array<":
            items = self._type()
            self._next(">")
            return {"type": "array", "items": items}
        if word.startswith('"'):
            return self._words(word)
        if word.startswith("I") and word not in _SCALARS:
            return {"$ref": word.removeprefix("I")}
        if word not in _SCALARS:
            raise self._unknown()
        return {**_SCALARS[word]}

    def _words(self, first: str) -> Schema:
        words = [first.strip('"')]
        while self._peek() == "|":
            self._next()
            words.append(self._next().strip('"'))
        return {"type": "string", "enum": words}

    def _mapping(self) -> Schema:
        self._next("[key: string]")
        self._next(":")
        values = self._type()
        self._next(";")
        self._next("}")
        return {"type": "object", "additionalProperties": values}

    def _fields(self) -> Schema:
        properties: dict[str, Schema] = {}
        required: list[str] = []
        while self._peek() != "}":
            name = self._next().strip('"')
            if self._peek() == "?":
                self._next()
            else:
                required.append(name)
            self._next(":")
            properties[name] = self._type()
            self._next(";")
        self._next("}")
        made: Schema = {"type": "object", "additionalProperties": False, "properties": properties}
        return made | ({"required": sorted(required)} if required else {})
