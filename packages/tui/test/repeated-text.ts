/**
 * Pieces that hostile text repeats: a reader that looks back or ahead for each of them never finishes. `npm run bench
 * -- check` measures that they take linear time.
 */
export const repeatedText: Record<string, string> = {
  "begun sequences": "\u001b[",
  "begun strings": "\u001b]",
  "ended strings": "\u001b]0;t\u0007",
  "sequences without an end": "\u001b[1;",
  intermediates: "\u001b(",
  colours: "\u001b[31m",
  blanks: " ",
  "blanks with something between": "   x",
  tabs: "\t",
  "carriage returns": "a\r",
  backspaces: "a\b",
  "empty lines": "\n",
  marks: "\u0301",
  "letters with marks": `a${"\u0301".repeat(10)}`,
  "hidden characters": "\u202e",
  joiners: "\u200d",
  "joined emoji": "👩\u200d",
  "picture styles": "1\ufe0f",
  "half characters": "\ud83d",
  controls: "\u0000",
  wide: "日",
};
