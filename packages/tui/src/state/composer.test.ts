import { describe, expect, it } from "vitest";
import {
  browsed,
  type ComposerState,
  cleared,
  complete,
  completionQuery,
  deletedBack,
  emptyComposer,
  messageOf,
  pasteText,
  withBuffer,
} from "./composer.ts";

const typed = (text: string, composer: ComposerState = emptyComposer): ComposerState =>
  withBuffer(composer, composer.buffer.insert(text));
const withSent = (...sent: string[]): ComposerState => ({ ...emptyComposer, sent });

describe("pastes", () => {
  it("shows a short one as it is", () => {
    expect(pasteText(emptyComposer, "two\nlines").buffer.text).toBe("two\nlines");
  });

  it("shows a long one as a chip within the text and sends it in full", () => {
    const long = `${"line $1\n".repeat(119)}end`;
    const composer = typed(" please", pasteText(typed("read "), long));
    expect(composer.buffer.text).toBe("read [pasted 120 lines] please");
    expect(messageOf(composer)).toBe(`read ${long} please`);
  });

  it("distinguishes two pastes of the same size", () => {
    const [a, b] = ["a\n".repeat(20), "b\n".repeat(20)];
    const composer = pasteText(pasteText(emptyComposer, a), b);
    expect(composer.buffer.text).toBe("[pasted 20 lines][pasted 20 lines, 2]");
    expect(messageOf(composer)).toBe(a + b);
  });

  it("loses a whole chip with one Backspace", () => {
    const composer = pasteText(typed("see "), "x".repeat(3000));
    expect(composer.buffer.text).toBe("see [pasted 3000 characters]");
    expect(deletedBack(composer).buffer.text).toBe("see ");
  });
});

describe("sent messages", () => {
  it("comes back newest first, with the draft at the end", () => {
    let composer = typed("draft", withSent("one", "two"));
    composer = browsed(composer, -1);
    expect(composer.buffer.text).toBe("two");
    composer = browsed(browsed(composer, -1), -1);
    expect(composer.buffer.text).toBe("one");
    composer = browsed(browsed(composer, 1), 1);
    expect(composer.buffer.text).toBe("draft");
    expect(browsed(composer, 1).buffer.text).toBe("draft");
  });

  it("keeps a cleared text once", () => {
    const composer = cleared(typed("same", cleared(typed("same"))));
    expect(composer.sent).toEqual(["same"]);
    expect(composer.buffer.isEmpty).toBe(true);
    expect(cleared(typed("  ")).sent).toEqual([]);
  });
});

describe("completionQuery", () => {
  it.each([
    ["/he", { kind: "command", query: "he", from: 0, to: 3 }],
    ["/model qw", { kind: "argument", command: "model", earlier: "", query: "qw", from: 7, to: 9 }],
    [
      '/mcp:s:p "New York" city=N',
      { kind: "argument", command: "mcp:s:p", earlier: '"New York" ', query: "city=N", from: 20, to: 26 },
    ],
    ['/mcp:s:p "New Y', { kind: "argument", command: "mcp:s:p", earlier: "", query: '"New Y', from: 9, to: 15 }],
    ["look at @src/ma", { kind: "file", query: "src/ma", from: 8, to: 15 }],
    ["@", { kind: "file", query: "", from: 0, to: 1 }],
    ["mail me@home", undefined],
    ["one /two", undefined],
    ["first\n/second", undefined],
    ["plain", undefined],
  ])("%j", (text, expected) => {
    expect(completionQuery(typed(text))).toEqual(expected);
  });

  it("puts the marked item in and asks no more for the same text", () => {
    const items = [{ label: "src/main.ts", detail: "", insert: "@src/main.ts " }];
    const composer = { ...typed("see @ma"), completion: { kind: "file" as const, from: 4, to: 7, items, selected: 0 } };
    const next = complete(composer);
    expect(next.buffer.text).toBe("see @src/main.ts ");
    expect(next.completion).toBeUndefined();
    expect(completionQuery(next)).toBeUndefined();
  });
});
