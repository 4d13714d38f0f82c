import { describe, expect, it } from "vitest";
import { findName, readLocations } from "./code-locations.ts";
import { renamedLines } from "./renamed-lines.ts";

const range = (line: number, from: number, to: number, lastLine = line) => ({
  start: { line, character: from },
  end: { line: lastLine, character: to },
});
const edit = (line: number, from: number, to: number, newText: string) => ({ range: range(line, from, to), newText });
const text = "let a = 1;\r\nuse(a, a);\n";
const textOf = (path: string) => (path === "/w/a.ts" ? text : undefined);

describe("the lines that a rename changes", () => {
  const changes = { "file:///w/a.ts": [edit(0, 4, 5, "long"), edit(1, 4, 5, "long"), edit(1, 7, 8, "long")] };
  const lines = [
    { path: "/w/a.ts", line: 1, text: "let long = 1;" },
    { path: "/w/a.ts", line: 2, text: "use(long, long);" },
  ];
  it.each([
    ["changes", { changes }, lines],
    [
      "documents",
      { documentChanges: [{ textDocument: { uri: "file:///w/a.ts" }, edits: changes["file:///w/a.ts"] }] },
      lines,
    ],
    ["nothing", null, []],
    ["other addresses", { changes: { "https://example.com/a.ts": [edit(0, 0, 1, "x")] } }, []],
  ])("are read from %s", (_, answer, expected) => {
    expect(renamedLines(answer, textOf)).toEqual(expected);
  });

  it.each([
    ["a file is created", { documentChanges: [{ kind: "create", uri: "file:///w/b.ts" }] }, "would create a file"],
    [
      "more than a line",
      { changes: { "file:///w/a.ts": [{ range: range(0, 0, 1, 1), newText: "x" }] } },
      "by more than a name",
    ],
    ["new lines", { changes: { "file:///w/a.ts": [edit(0, 0, 1, "x\ny")] } }, "by more than a name"],
    ["a line that is not there", { changes: { "file:///w/a.ts": [edit(9, 0, 1, "x")] } }, "by more than a name"],
    ["a file that cannot be read", { changes: { "file:///w/c.ts": [edit(0, 0, 1, "x")] } }, "cannot be read"],
  ])("are refused: %s", (_, answer, words) => {
    expect(renamedLines(answer, textOf)).toMatchObject({ problem: expect.stringContaining(words) });
  });
});

describe("a name in a text", () => {
  it.each([
    ["on its line", 2, "a", { line: 1, character: 4 }],
    ["near the line", 4, "use", { line: 1, character: 0 }],
    ["as a part, if there is no whole word", 1, "et", { line: 0, character: 1 }],
  ])("is found %s", (_, line, name, expected) => {
    expect(findName(text, name, line)).toEqual(expected);
  });

  it("is not found far away", () => {
    expect(findName(text, "a", 40)).toEqual({ problem: "There is no a in line 40 or near it." });
  });
});

it("locations of any form are read, and nothing else", () => {
  const at = { start: { line: 1, character: 2 }, end: { line: 1, character: 3 } };
  const place = { path: "/w/a.ts", ...at };
  expect(readLocations({ uri: "file:///w/a.ts", range: at })).toEqual([place]);
  expect(readLocations([{ targetUri: "file:///w/a.ts", targetSelectionRange: at }])).toEqual([place]);
  expect(readLocations([null, 1, { uri: "http://x", range: at }, { uri: "file:///w/a.ts", range: {} }])).toEqual([]);
});
