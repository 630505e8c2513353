"""Runs typst in a process of its own: it keeps what it laid out, some 60 MB a report, for as long as its process lives.

Reads one JSON request from standard input and writes the PDF, or a PNG a page, to standard output, each after its
length in eight bytes. Started by path, without the
package: it must import nothing of it. Exit code 3: a glyph is missing; 5: page 1 is too long; 4: any other
fault of the typesetting.
"""

import json
import sys

GLYPH_MISSING, FAULTY, PAGE_OVERRUN = 3, 4, 5
_FAULTS = (
    ("could not be displayed", GLYPH_MISSING),
    # A mark that one font sets upon a letter of another leaves text whose characters cannot be told from the glyphs.
    ("missing codepoints", GLYPH_MISSING),
    ("page 1 is too long", PAGE_OVERRUN),
)


def main() -> int:
    """Typeset one request; what went wrong goes to standard error."""
    import typst

    request = json.loads(sys.stdin.buffer.read())
    folder = {"main.typ": request["template"].encode(), "report.json": request["data"].encode()}
    fonts = typst.Fonts(include_system_fonts=False, font_paths=[request["fonts"]])
    try:
        made = typst.compile(folder, font_paths=fonts, **request["options"])
    except typst.TypstError as error:
        sys.stderr.write(error.message)
        return next((code for words, code in _FAULTS if words in error.message), FAULTY)
    for page in [made] if isinstance(made, bytes) else made:
        sys.stdout.buffer.write(len(page).to_bytes(8, "big") + page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
