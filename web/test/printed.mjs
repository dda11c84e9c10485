// The text of a PDF as Chromium prints one: what stands on the paper, not what was meant to.

import { inflateSync } from "node:zlib";

/** The text of each page, in the order in which it is drawn, without spaces. */
export function printedText(pdf) {
  const objects = new Map();
  for (const [, id, body] of pdf.toString("latin1").matchAll(/\n(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) objects.set(id, body);
  const stream = (id) => {
    const bytes = Buffer.from(/stream\r?\n([\s\S]*?)\r?\nendstream/.exec(objects.get(id))[1], "latin1");
    return inflateSync(bytes).toString("latin1");
  };
  const fonts = new Map();
  const lettersOf = (font) => {
    if (!fonts.has(font)) fonts.set(font, letters(stream(/\/ToUnicode (\d+) 0 R/.exec(objects.get(font))[1])));
    return fonts.get(font);
  };
  return [...objects.values()].filter((body) => /\/Type \/Page\b/.test(body)).map((page) => {
    const named = new Map([...page.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, id]) => [name, id]));
    let text = "";
    let font = null;
    for (const [, name, glyphs] of stream(/\/Contents (\d+) 0 R/.exec(page)[1]).matchAll(/\/(F\d+) [\d.]+ Tf|<([0-9A-Fa-f]+)>/g)) {
      if (name !== undefined) font = lettersOf(named.get(name));
      else for (const glyph of glyphs.match(/.{4}/g)) text += font?.get(parseInt(glyph, 16)) ?? "";
    }
    return bare(text);
  });
}

/** Without spaces and ligatures, which print as the fonts will have them. */
export function bare(text) {
  return text.normalize("NFKC").replaceAll(/\s/g, "");
}

/** By glyph, from a font's table of them. */
function letters(table) {
  const found = new Map();
  const text = (hex) => Buffer.from(hex, "hex").swap16().toString("utf16le");
  for (const [, lines] of table.matchAll(/beginbfchar\n([\s\S]*?)endbfchar/g)) {
    for (const [, glyph, letter] of lines.matchAll(/<(\w+)> <(\w+)>/g)) found.set(parseInt(glyph, 16), text(letter));
  }
  for (const [, lines] of table.matchAll(/beginbfrange\n([\s\S]*?)endbfrange/g)) {
    for (const [, first, last, letter] of lines.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g)) {
      for (let at = parseInt(first, 16); at <= parseInt(last, 16); at++) {
        found.set(at, String.fromCharCode(parseInt(letter, 16) + at - parseInt(first, 16)));
      }
    }
  }
  return found;
}
