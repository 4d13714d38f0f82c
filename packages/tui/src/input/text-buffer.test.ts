import { describe, expect, it } from "vitest";
import { seededRandom } from "../../test/seeded-random.ts";
import { stringWidth } from "../text/width.ts";
import { TextBuffer } from "./text-buffer.ts";

/** The text with `|` where the cursor is. */
function shown(buffer: TextBuffer): string {
  return `${buffer.text.slice(0, buffer.offset)}|${buffer.text.slice(buffer.offset)}`;
}

/** A buffer from a text with `|` in it. */
function at(marked: string): TextBuffer {
  const offset = marked.indexOf("|");
  const buffer = TextBuffer.of(marked.replace("|", ""));
  return buffer.replace(offset, offset, "");
}

describe("TextBuffer", () => {
  it.each<[string, string, (buffer: TextBuffer) => TextBuffer, string]>([
    ["insert", "ab|cd", (buffer) => buffer.insert("x"), "abx|cd"],
    ["insert lines", "a|d", (buffer) => buffer.insert("b\r\nc"), "ab\nc|d"],
    ["insert drops controls", "|", (buffer) => buffer.insert("a\u001b[31mb\u0000"), "a[31mb|"],
    ["backspace", "ab|c", (buffer) => buffer.deleteBack(), "a|c"],
    ["backspace over a cluster", "a👨‍👩‍👧|b", (buffer) => buffer.deleteBack(), "a|b"],
    ["backspace over a mark", "ae\u0301|", (buffer) => buffer.deleteBack(), "a|"],
    ["backspace at a line's start", "a\n|b", (buffer) => buffer.deleteBack(), "a|b"],
    ["backspace at the start", "|ab", (buffer) => buffer.deleteBack(), "|ab"],
    ["delete", "a|bc", (buffer) => buffer.deleteForward(), "a|c"],
    ["delete at a line's end", "a|\nb", (buffer) => buffer.deleteForward(), "a|b"],
    ["word before", "foo bar |", (buffer) => buffer.deleteWordBack(), "foo |"],
    ["word before, signs apart", "foo.bar|", (buffer) => buffer.deleteWordBack(), "foo.|"],
    ["word after", "foo| bar baz", (buffer) => buffer.deleteWordForward(), "foo| baz"],
    ["to the line's start", "a\nbc|d", (buffer) => buffer.deleteToLineStart(), "a\n|d"],
    ["to the line's end", "a|bc\nd", (buffer) => buffer.deleteToLineEnd(), "a|\nd"],
    ["to the line's end, at it", "a|\nd", (buffer) => buffer.deleteToLineEnd(), "a|d"],
    ["word left", "foo bar|", (buffer) => buffer.wordLeft(), "foo |bar"],
    ["word right", "|foo bar", (buffer) => buffer.wordRight(), "foo| bar"],
    ["word right over a line", "a|\nb", (buffer) => buffer.wordRight(), "a\n|b"],
    ["left over a wide character", "日|本", (buffer) => buffer.left(), "|日本"],
    ["right over an emoji", "|👍🏽b", (buffer) => buffer.right(), "👍🏽|b"],
    ["line start", "a\nb|c", (buffer) => buffer.lineStart(), "a\n|bc"],
    ["line end", "a\n|bc", (buffer) => buffer.lineEnd(), "a\nbc|"],
    ["start", "a\nb|", (buffer) => buffer.start(), "|a\nb"],
    ["end", "|a\nb", (buffer) => buffer.end(), "a\nb|"],
    ["replace (completion)", "see @sr|", (buffer) => buffer.replace(4, 7, "@src/a.ts "), "see @src/a.ts |"],
  ])("%s", (_, from, edit, to) => {
    expect(shown(edit(at(from)))).toBe(to);
  });

  it("undoes letters as words and everything else step by step", () => {
    let buffer = TextBuffer.empty;
    for (const letter of "hello world") buffer = buffer.insert(letter);
    buffer = buffer.insert("\n").insert("x").deleteBack();
    const texts: string[] = [];
    for (let step = 0; step < 7; step++) {
      texts.push(buffer.text);
      buffer = buffer.undo();
    }
    expect(texts).toEqual(["hello world\n", "hello world\nx", "hello world\n", "hello world", "hello ", "hello", ""]);
    expect(buffer.redo().redo().text).toBe("hello ");
    expect(buffer.redo().insert("!").redo().text).toBe("hello!");
  });

  it("moves by rows as they are drawn, and says when there is none", () => {
    const buffer = at("hello wor|ld\nfoo");
    const up = buffer.up(8);
    expect(up && shown(up)).toBe("hel|lo world\nfoo");
    expect(up?.up(8)).toBeUndefined();
    const down = buffer.down(8);
    expect(down && shown(down)).toBe("hello world\nfoo|");
    expect(down?.down(8)).toBeUndefined();
  });

  it("wraps at blanks and keeps the cursor inside", () => {
    expect(at("hello world|").layout(8)).toMatchObject({ rows: ["hello ", "world"], cursor: { row: 1, column: 5 } });
    expect(at("abcdefg|").layout(8)).toMatchObject({ rows: ["abcdefg"], cursor: { row: 0, column: 7 } });
    expect(at("abcdefgh|").layout(8)).toMatchObject({ rows: ["abcdefg", "h"], cursor: { row: 1, column: 1 } });
    expect(at("a\tb|").layout(20)).toMatchObject({ rows: ["a    b"], cursor: { row: 0, column: 6 } });
    expect(at("日本|語").layout(5)).toMatchObject({ rows: ["日本", "語"], cursor: { row: 1, column: 0 } });
    expect(TextBuffer.empty.layout(10)).toMatchObject({ rows: [""], cursor: { row: 0, column: 0 } });
  });

  it("keeps rows and cursor within the width, whatever is typed", () => {
    const random = seededRandom(9);
    for (let round = 0; round < 200; round++) {
      let buffer = TextBuffer.empty;
      for (let step = 0; step < 30; step++) {
        const edits: ((from: TextBuffer) => TextBuffer)[] = [
          (from) => from.insert(random.pick(["a", " ", "日", "👍🏽", "\n", "word ", "\t", "e\u0301"])),
          (from) => from.deleteBack(),
          (from) => from.left(),
          (from) => from.wordLeft(),
          (from) => from.up(9) ?? from,
          (from) => from.down(9) ?? from,
          (from) => from.undo(),
        ];
        buffer = random.pick(edits)(buffer);
        const { rows, cursor } = buffer.layout(9);
        for (const row of rows) expect(stringWidth(row)).toBeLessThan(9);
        expect(cursor.column).toBeLessThan(9);
        expect(rows[cursor.row]).toBeDefined();
      }
    }
  });

  it("takes a megabyte at once and wraps only the line that changes", () => {
    const pasted = `${"lorem ipsum dolor sit amet ".repeat(4)}\n`.repeat(10_000);
    const buffer = TextBuffer.of(pasted);
    expect(buffer.lineCount).toBe(10_001);
    const before = buffer.layout(80).rows;
    const after = buffer.insert("x").layout(80).rows;
    expect(after.slice(0, -1)).toEqual(before.slice(0, -1));
    expect(after.at(-1)).toBe("x");
  });
});
