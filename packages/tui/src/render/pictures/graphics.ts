import { ASK_ATTRIBUTES, attributesIn, type TerminalReplies } from "../terminal-replies.ts";

/**
 * How a terminal draws images, and the size of its cells in pixels. `placeholders`: kitty's, which are text cells;
 * `iterm`: OSC 1337; `sixel`: https://vt100.net/docs/vt3xx-gp/chapter14.html
 */
export type Graphics = {
  readonly way: "placeholders" | "iterm" | "sixel";
  readonly cell: { readonly widthPx: number; readonly heightPx: number };
};

const ASK_VERSION = "\u001b[>0q";
const ASK_CELL = "\u001b[16t";
const VERSION = /^.P>\|([^\s(]+)/;
const CELL = /^.\[6;(\d{1,4});(\d{1,4})t$/;
const REPLY_MS = 1_000;
const USUAL_CELL = { widthPx: 10, heightPx: 20 };
/** The terminal attribute that announces sixel support. */
const SIXEL = "4";

/** By the name a terminal reports; under tmux or screen that is the multiplexer's name. */
const ways: readonly { name: RegExp; way: Graphics["way"] }[] = [
  { name: /^(?:kitty|ghostty)$/i, way: "placeholders" },
  { name: /^(?:iterm2|wezterm|mintty)$/i, way: "iterm" },
];

/** Asks the terminal what it supports; undefined: no images. */
export async function askGraphics(replies: TerminalReplies): Promise<Graphics | undefined> {
  let way: Graphics["way"] | undefined;
  let cell = USUAL_CELL;
  const read = (reply: string): string[] | undefined => {
    const name = VERSION.exec(reply)?.[1];
    if (name !== undefined) way = ways.find((each) => each.name.test(name))?.way;
    const [, height, width] = CELL.exec(reply) ?? [];
    if (Number(width) > 0 && Number(height) > 0) cell = { widthPx: Number(width), heightPx: Number(height) };
    return attributesIn(reply);
  };
  const attributes = await replies.ask(ASK_VERSION + ASK_CELL + ASK_ATTRIBUTES, read, REPLY_MS);
  if (!attributes) return undefined;
  way ??= attributes.includes(SIXEL) ? "sixel" : undefined;
  return way && { way, cell };
}
