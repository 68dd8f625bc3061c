"""Checks a message's components as Discord does, and builds the tree of its answer."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.strict.api import errors, wire
from tests.strict.api.errors import Json, Path, Refusal, invalid, require, require_length
from tests.strict.api.world import File, StrictWorld

ROW, BUTTON, SELECT, INPUT, USERS, ROLES, ANYBODY, CHANNELS = range(1, 9)
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR = range(9, 15)
CONTAINER, LABEL = 17, 18
PICKS = (USERS, ROLES, ANYBODY, CHANNELS)
MENUS = (SELECT, *PICKS)
LINK, PREMIUM = 5, 6
MOST, LONGEST = 40, 4000
WARNED_BYTES, FAILING_BYTES = 9500, 10170
"""Above the first a text is a surprise; above the second Discord is reported to fail."""
ATTACHMENT = "attachment://"
V2_TOP = (ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR, CONTAINER)
IN_CONTAINER = (ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR)


class Tree:
    """Checks the components of one message. `files` are those that they may show, by name."""

    def __init__(self, world: StrictWorld, channel_id: int, files: Mapping[str, File]) -> None:
        self._world = world
        self._channel_id = channel_id
        self._files = files
        self._ids: set[int] = set()
        self._custom_ids: set[str] = set()
        self._texts: list[str] = []
        self._count = 0
        self.shown: set[int] = set()
        self._checks: dict[int, Callable[[Json, Path], Json]] = {
            ROW: self._row,
            BUTTON: self._button,
            SELECT: self._menu,
            **dict.fromkeys(PICKS, self._pick),
            SECTION: self._section,
            TEXT: self._text,
            THUMBNAIL: self._thumbnail,
            GALLERY: self._gallery,
            FILE: self._file,
            SEPARATOR: lambda one, _: one,
            CONTAINER: self._container,
        }

    def check(self, components: Any, *, v2: bool) -> list[Json]:
        """Return the tree as Discord answers it. Raises Refusal if Discord doesn't take it."""
        path: Path = ("components",)
        require(
            isinstance(components, list),
            path,
            "LIST_TYPE_CONVERT",
            "Only iterables may be used in a ListType",
        )
        require(v2 or len(components) <= 5, path, errors.LENGTH, "Must be between 0 and 5 in length.")
        tree = self._all(components, path, V2_TOP if v2 else (ROW,))
        message = f"The maximum number of components is {MOST}, not {self._count}"
        require(not v2 or self._count <= MOST, path, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", message)
        self._require_room(path)
        return self._number(tree)

    def _require_room(self, path: Path) -> None:
        text = "".join(self._texts)
        message = f"The total text must be {LONGEST} or fewer in length."
        require(len(text) <= LONGEST, path, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", message)
        size = len(text.encode())
        if size > FAILING_BYTES:
            raise Refusal(500, 0, "500: Internal Server Error")
        if size > WARNED_BYTES:
            self._world.surprises.append(f"a text of {size} bytes, near to what makes Discord fail")

    def _all(self, children: Any, path: Path, allowed: tuple[int, ...]) -> list[Json]:
        require(isinstance(children, list), path, errors.REQUIRED, "This field is required")
        return [self._one(child, (*path, number), allowed) for number, child in enumerate(children)]

    def _one(self, one: Any, path: Path, allowed: tuple[int, ...]) -> Json:
        require(isinstance(one, dict), path, errors.REQUIRED, "This field is required")
        kind = one.get("type")
        message = f'Value of field "type" must be one of {allowed}.'
        require(kind in allowed, (*path, "type"), "UNION_TYPE_CHOICES", message)
        self._count += 1
        number = one.get("id")
        if number:  # 0 and none: Discord gives it one
            require(
                number not in self._ids,
                (*path, "id"),
                "COMPONENT_ID_DUPLICATED",
                "Component id is duplicated",
            )
            self._ids.add(number)
        return self._checks[int(kind)](dict(one), path)

    def _number(self, tree: list[Json]) -> list[Json]:
        free = 1
        waiting = list(tree)
        while waiting:
            one = waiting.pop(0)
            if not one.get("id"):
                while free in self._ids:
                    free += 1
                self._ids.add(free)
                one["id"] = free
            waiting += one.get("components", [])
            waiting += [one["accessory"]] if "accessory" in one else []
        return tree

    # What is pressed

    def _row(self, one: Json, path: Path) -> Json:
        children = one["components"] = self._all(
            one.get("components"), (*path, "components"), (BUTTON, *MENUS)
        )
        menus = sum(child["type"] in MENUS for child in children)
        fits = len(children) == 1 if menus else 1 <= len(children) <= 5
        require(fits, (*path, "components"), errors.LENGTH, "A row has 1 to 5 buttons or one select")
        return one

    def _custom_id(self, one: Json, path: Path) -> None:
        require_length(one.get("custom_id"), (*path, "custom_id"), 1, 100)
        message = "Component custom id cannot be duplicated"
        known = one["custom_id"] in self._custom_ids
        require(not known, (*path, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", message)
        self._custom_ids.add(one["custom_id"])

    def _button(self, one: Json, path: Path) -> Json:
        require(
            one.get("style") in range(1, 7),
            (*path, "style"),
            errors.CHOICES,
            "Value must be one of (1, …, 6).",
        )
        if one["style"] == LINK:
            require_length(one.get("url"), (*path, "url"), 1, 512)
            message = "A link button has no custom id"
            require("custom_id" not in one, (*path, "custom_id"), "BUTTON_COMPONENT_CUSTOM_ID_URL", message)
        else:
            self._custom_id(one, path)
        label, emoji = one.get("label"), one.get("emoji")
        require(
            label or emoji,
            (*path, "label"),
            "BUTTON_COMPONENT_LABEL_OR_EMOJI",
            "A label or an emoji is required",
        )
        if label is not None:
            require_length(label, (*path, "label"), 0, 80)
        self._emoji(emoji, (*path, "emoji"))
        one.setdefault("disabled", False)
        return one

    def _emoji(self, emoji: Json | None, path: Path) -> None:
        """Raise Refusal for an unknown emoji."""
        if emoji is None:
            return
        number, name = emoji.get("id"), str(emoji.get("name") or "")
        known = int(number) in self._world.emojis if number else bool(name) and not name.isascii()
        require(known, (*path, "id" if number else "name"), "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")

    def _menu(self, one: Json, path: Path) -> Json:
        options = one.get("options")
        require(isinstance(options, list), (*path, "options"), errors.REQUIRED, "This field is required")
        fits = 1 <= len(one["options"]) <= 25
        require(fits, (*path, "options"), errors.LENGTH, "Must be between 1 and 25 in length.")
        for number, option in enumerate(one["options"]):
            self._option(option, (*path, "options", number))
        values = [option["value"] for option in one["options"]]
        message = "The specified option value is already used"
        require(
            len({*values}) == len(values),
            (*path, "options"),
            "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
            message,
        )
        self._choice(one, path, len(values), sum(bool(option.get("default")) for option in one["options"]))
        return one

    def _option(self, option: Json, path: Path) -> None:
        require_length(option.get("label"), (*path, "label"), 1, 100)
        require_length(option.get("value"), (*path, "value"), 1, 100)
        if option.get("description") is not None:
            require_length(option["description"], (*path, "description"), 1, 100)
        self._emoji(option.get("emoji"), (*path, "emoji"))

    def _choice(self, one: Json, path: Path, most: int, defaults: int) -> None:
        """Check the common parts of all menus."""
        self._custom_id(one, path)
        if one.get("placeholder") is not None:
            require_length(one["placeholder"], (*path, "placeholder"), 0, 150)
        low, high = one.setdefault("min_values", 1), one.setdefault("max_values", 1)
        require(0 <= low <= 25, (*path, "min_values"), "NUMBER_TYPE_MIN", "Must be between 0 and 25")
        message = f"Must be between {max(1, low)} and {most}"
        require(max(1, low) <= high <= most, (*path, "max_values"), "NUMBER_TYPE_MAX", message)
        require(
            defaults <= high, path, "SELECT_COMPONENT_TOO_MANY_DEFAULTS", f"At most {high} may be default"
        )
        one.setdefault("disabled", False)

    def _pick(self, one: Json, path: Path) -> Json:
        self._choice(one, path, 25, len(one.get("default_values") or []))
        return one

    # What is read and seen

    def _container(self, one: Json, path: Path) -> Json:
        colour = one.get("accent_color")
        require(
            colour is None or 0 <= colour <= 0xFFFFFF, (*path, "accent_color"), "NUMBER_TYPE_MAX", "Too large"
        )
        one["components"] = self._all(one.get("components"), (*path, "components"), IN_CONTAINER)
        require(one["components"], (*path, "components"), errors.REQUIRED, "This field is required")
        return one

    def _section(self, one: Json, path: Path) -> Json:
        one["components"] = self._all(one.get("components"), (*path, "components"), (TEXT,))
        require(
            1 <= len(one["components"]) <= 3,
            (*path, "components"),
            errors.LENGTH,
            "Must be between 1 and 3 in length.",
        )
        one["accessory"] = self._one(one.get("accessory"), (*path, "accessory"), (BUTTON, THUMBNAIL))
        return one

    def _text(self, one: Json, path: Path) -> Json:
        require_length(one.get("content"), (*path, "content"), 1, LONGEST)
        self._texts.append(one["content"])
        return one

    def _check_description(self, one: Json, path: Path) -> None:
        if one.get("description") is not None:
            require_length(one["description"], (*path, "description"), 1, 1024)

    def _thumbnail(self, one: Json, path: Path) -> Json:
        self._check_description(one, path)
        one["media"] = self._media(one.get("media"), (*path, "media"))
        return one

    def _gallery(self, one: Json, path: Path) -> Json:
        items = one.get("items")
        fits = isinstance(items, list) and 1 <= len(items) <= 10
        require(fits, (*path, "items"), errors.LENGTH, "Must be between 1 and 10 in length.")
        entries = []
        for number, item in enumerate(one["items"]):
            where = (*path, "items", number)
            self._check_description(item, where)
            entries.append({**item, "media": self._media(item.get("media"), (*where, "media"))})
        one["items"] = entries
        return one

    def _file(self, one: Json, path: Path) -> Json:
        url = str((one.get("file") or {}).get("url", ""))
        message = "A file component shows an attachment of its message"
        require(url.startswith(ATTACHMENT), (*path, "file", "url"), "FILE_COMPONENT_NOT_ATTACHMENT", message)
        one["file"] = self._media(one["file"], (*path, "file"))
        shown = self._files[url.removeprefix(ATTACHMENT)]
        return {**one, "name": shown.name, "size": len(shown.data)}

    def _media(self, item: Any, path: Path) -> Json:
        require(isinstance(item, dict), path, errors.REQUIRED, "This field is required")
        url = str(item.get("url", ""))
        require_length(url, (*path, "url"), 1, 2048)
        if not url.startswith(ATTACHMENT):
            require(
                url.startswith(("http://", "https://")),
                (*path, "url"),
                "URL_TYPE_INVALID_SCHEME",
                "Bad scheme",
            )
            if url.startswith(wire.CDN):
                self._world.surprises.append(f"a component shows {url} by its address, which expires")
            return {"url": url, "proxy_url": url, "loading_state": 2, "flags": 0}
        name = url.removeprefix(ATTACHMENT)
        file = self._files.get(name)
        if file is None:
            known = ", ".join(self._files) or "none"
            message = f"The attachment {name!r} was not found among those of this request: {known}"
            raise invalid((*path, "url"), errors.NOT_ATTACHED, message)
        self.shown.add(file.id)
        return wire.media(self._channel_id, file)
