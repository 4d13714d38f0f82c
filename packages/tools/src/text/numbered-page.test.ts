import { describe, expect, it } from "vitest";
import { createNumberedPage, type PageRequest } from "./numbered-page.ts";

const request: PageRequest = { offset: 1, limit: 10, maxLineChars: 20, maxChars: 1000 };

function page(text: string, over: Partial<PageRequest> = {}, pieceChars = text.length || 1) {
  const numbered = createNumberedPage({ ...request, ...over });
  for (let at = 0; at < text.length; at += pieceChars) numbered.push(text.slice(at, at + pieceChars));
  return numbered.end();
}

describe("a numbered page", () => {
  it("numbers lines in six columns and a tab, with any line ends", () => {
    expect(page("a\nb\r\n\nc").text).toBe("     1\ta\n     2\tb\n     3\t\n     4\tc\n");
    expect(page("a\n")).toMatchObject({ totalLines: 1, first: 1, last: 1 });
    expect(page("")).toMatchObject({ text: "", totalLines: 0, last: 0 });
  });

  it("is the same in whatever pieces the text arrives", () => {
    const text = Array.from({ length: 50 }, (_, i) => "x".repeat(i)).join("\r\n");
    for (const pieceChars of [1, 2, 3, 17]) {
      expect(page(text, { offset: 10, limit: 30 }, pieceChars)).toEqual(page(text, { offset: 10, limit: 30 }));
    }
  });

  it("begins at the offset, ends at the limit, and counts the rest", () => {
    const text = "l\n".repeat(100);
    expect(page(text, { offset: 99 })).toMatchObject({ first: 99, last: 100, totalLines: 100 });
    expect(page(text, { offset: 5, limit: 2 })).toMatchObject({ text: "     5\tl\n     6\tl\n", last: 6 });
    expect(page(text, { offset: 101 })).toMatchObject({ text: "", first: 101, last: 100 });
  });

  it("cuts long lines and reports how much was cut", () => {
    expect(page(`${"a".repeat(25)}\n${"b".repeat(20)}\r\n`).text).toBe(
      `     1\t${"a".repeat(20)}… [5 more characters]\n     2\t${"b".repeat(20)}\n`,
    );
    expect(page("a".repeat(100_000), {}, 100).text.length).toBeLessThan(100);
  });

  it("ends at a complete line before it becomes too large, but never without any", () => {
    expect(page("0123456789\n".repeat(50), { maxChars: 60 })).toMatchObject({ last: 3, full: true, totalLines: 50 });
    expect(page("0123456789\n", { maxChars: 5 })).toMatchObject({ last: 1 });
  });

  it("reports when no further text would be shown", () => {
    const numbered = createNumberedPage({ ...request, limit: 2 });
    numbered.push("a\n");
    expect(numbered.complete).toBe(false);
    numbered.push("b\n");
    expect(numbered.complete).toBe(true);
  });
});
