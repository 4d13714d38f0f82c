/**
 * A text prepared for the search for calls: `text` is squashed, and `names` are the positions in it where calls of the
 * tool are named.
 */
export type SeenText = { text: string; names: readonly number[] };

/** Prefixes of lines in tool output: `path:12:`, `path-12-`, `12:`, `12→`, `12|`, a tab. */
const LINE_NUMBER =
  /^[ \t>+#*|-]{0,20}(?:(?:[A-Za-z]:)?[^\n:]{1,300}:|[^\s:]{1,300}-)?[ \t]{0,8}\d{1,7}[ \t]?[:\t→|│-]/gm;

const ENTITY = /&(?:amp;){0,3}(?:(lt|gt|quot|apos|amp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi;
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
const UNICODE_ESCAPE = /\\u([0-9a-f]{4})/gi;

/** Tags that contain a key, which become `,key=` as in the other forms. */
const KEY_TAG =
  /<(?:｜DSML｜)?(?:parameter(?:=| name=)|arg_key>)[\\"']{0,4}([^<>"'\\\n]{1,200}?)[\\"']{0,4}(?:<\/arg_key>[\s+>#*|-]{0,40}<arg_value>|(?: [^>\n]{0,40})?>)/g;
const KEY_END = /<\/(?:｜DSML｜)?(?:parameter|arg_value)>/g;

/** Line prefixes, quotation marks, escapes, and white space: they differ between two places that show the same call. */
const NOISE = /\\[nrt]|[\s\\"'`+\->#|*]/g;

/** Squashes both spellings of a text, as in a file and in a call. */
export function squashed(text: string): string {
  return squash(plain(text));
}

/** The readings of a text in which the tool is called in some form, with and without line numbers. */
export function seenTexts(text: string, tool: ToolMention): SeenText[] {
  if (!tool.isIn(text)) return [];
  const spelled = plain(text);
  const views = [spelled, spelled.replace(LINE_NUMBER, "")];
  const different = views[0] === views[1] ? views.slice(0, 1) : views;
  return different.map((view) => seenText(view, tool)).filter(({ names }) => names.length > 0);
}

function seenText(view: string, tool: ToolMention): SeenText {
  const pieces: string[] = [];
  const names: number[] = [];
  let length = 0;
  let from = 0;
  const take = (to: number) => {
    const piece = squash(view.slice(from, to));
    pieces.push(piece);
    length += piece.length;
    from = to;
  };
  for (const at of tool.callsIn(view)) {
    take(at);
    names.push(length);
  }
  if (names.length > 0) take(view.length);
  return { text: pieces.join(""), names };
}

function plain(text: string): string {
  return text
    .replace(UNICODE_ESCAPE, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(ENTITY, (whole, name?: string, decimal?: string, hex?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .replace(KEY_TAG, ",$1=")
    .replace(KEY_END, ",");
}

function squash(text: string): string {
  return text.replace(NOISE, "").toLowerCase();
}

/** The ways in which a text names a tool to call it. */
export class ToolMention {
  readonly #word: RegExp;
  readonly #call: RegExp;

  constructor(name: string) {
    const words = name.replace(/^(?:functions?|tools?)[./:_]/i, "").match(/[\p{L}\p{N}]+/gu) ?? [];
    const own = words.join("[^\\p{L}\\p{N}]{0,2}");
    const gap = "[\\s\\\\\"'`+>#*|-]{0,40}";
    const before = [
      `(?:name|tool|function|to)${gap}[:=]`,
      "[>\\][,;｜|]",
      // A call in Python syntax at the beginning of a line.
      "^",
    ].join("|");
    this.#word = new RegExp(own, "iu");
    this.#call = new RegExp(
      `(?:${before})${gap}(?:functions?[./:])?${own}(?:\\.call)?(?=${gap}(?:[,}({[<]|:\\d|｜|$|\\]))`,
      "gimu",
    );
  }

  isIn(text: string): boolean {
    return this.#word.test(text);
  }

  callsIn(text: string): number[] {
    return [...text.matchAll(this.#call)].map((match) => match.index);
  }
}
