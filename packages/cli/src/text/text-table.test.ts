import { describe, expect, it } from "vitest";
import { countText, linesFor, textTable } from "./text-table.ts";

describe("textTable", () => {
  it("aligns cells and leaves out empty columns", () => {
    const rows = [
      ["ollama", "", "yes"],
      ["openrouter", "", ""],
    ];
    expect(textTable(["PROVIDER", "EMPTY", "READY"], rows)).toBe(
      ["PROVIDER    READY", "ollama      yes", "openrouter"].join("\n"),
    );
  });

  it("wraps the last column between words and indents it", () => {
    const rows = [["ollama", "start it with `ollama serve`, then look again"]];
    expect(textTable(["PROVIDER", "NEEDS"], rows, 34)).toBe(
      ["PROVIDER  NEEDS", "ollama    start it with `ollama", "          serve`, then look again"].join("\n"),
    );
  });

  it("keeps a row on one line, whatever its content", () => {
    expect(textTable(["A"], [["one\n two\tthree"]])).toBe("A\none two three");
  });

  it("shows characters that would control the terminal as codes, whoever wrote the cell", () => {
    expect(textTable(["A", "B"], [["\u001b[31mred", "x\u202ey"]])).toBe(
      ["A         B", "␛[31mred  x⟨U+202E⟩y"].join("\n"),
    );
  });
});

describe("countText", () => {
  it.each([
    [undefined, ""],
    [0, "0"],
    [131072, "131,072"],
  ])("formats %s as %j", (count, text) => {
    expect(countText(count)).toBe(text);
  });
});

describe("lines for a terminal", () => {
  const text = "1/9  ok  Answers with words and a-word-that-is-longer-than-the-row\nshort";

  it("are broken between words, and the rest is indented", () => {
    expect(linesFor({ isTTY: true, columns: 24 }, text, "  ").split("\n")).toEqual([
      "1/9  ok  Answers with",
      "  words and",
      "  a-word-that-is-longer-than-the-row",
      "short",
    ]);
  });

  it.each([{}, { columns: 24 }, { isTTY: true }])("stay whole in a file or pipe (%j)", (stream) => {
    expect(linesFor(stream, text)).toBe(text);
  });
});
