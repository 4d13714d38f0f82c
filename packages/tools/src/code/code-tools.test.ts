import { join } from "node:path";
import type { CodeHit } from "@harness/protocol";
import { MemoryCodeSearch } from "@harness/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTrial, type Trial } from "../../test/trial.ts";
import { createSemanticSearch } from "./semantic-search.ts";
import { createSymbols } from "./symbols.ts";

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());

const hit = (path: string, text: string, more: Partial<CodeHit> = {}): CodeHit => ({
  ...{
    path,
    text,
    startLine: 3,
    endLine: 9,
    score: 1,
    why: ["words: retry"],
    kind: "function",
    language: "typescript",
  },
  signatures: ["class Sender", "retry()"],
  ...more,
});
const search = (hits: CodeHit[]) => new MemoryCodeSearch(trial.root, { hits });

it("shows path, lines, score, reasons and the outer definition, with the text in a fence", async () => {
  const { text, blocks } = await trial.run(createSemanticSearch(search([hit("src/a.ts", "retry() {}")])), {
    query: "retry",
  });
  expect(text).toBe(
    "## src/a.ts:3-9 (1.00; words: retry)\nclass Sender\n```typescript\nretry() {}\n```\n\nThe index has 1 file and is up to date.",
  );
  expect(blocks).toEqual([{ type: "list", items: [{ text: "src/a.ts:3-9  words: retry" }] }]);
});

it("fences a text that has fences itself", async () => {
  const { text } = await trial.run(createSemanticSearch(search([hit("a.md", "````\nx\n````")])), { query: "x" });
  expect(text).toContain("`````typescript\n````\nx\n````\n`````");
});

it("cuts long texts, the more results the shorter", async () => {
  const long = "x".repeat(4_000);
  const some = Array.from({ length: 20 }, (_, index) => hit(`f${index}.ts`, long));
  const { text } = await trial.run(createSemanticSearch(search(some)), { query: "x", limit: 20 });
  expect(text.length).toBeLessThan(16_000);
  expect(text.match(/^…$/gm)).toHaveLength(20);
});

it("shows no file that a rule hides", async () => {
  const code = search([hit("private/a.ts", "secret"), hit("b.ts", "plain")]);
  const hides = (path: string) => path.startsWith(join(trial.root, "private"));
  const { text } = await trial.run(createSemanticSearch(code), { query: "x" }, { hides });
  expect(text).not.toContain("private");
  expect(text).toContain("b.ts:3-9");
});

it("shows a file of another folder that is searched along by its whole path", async () => {
  const code = search([hit("/docs/guide.md", "How to")]);
  const { text } = await trial.run(createSemanticSearch(code), { query: "x" });
  expect(text).toContain("## /docs/guide.md:3-9");
  const hides = (path: string) => path === "/docs/guide.md";
  expect((await trial.run(createSemanticSearch(code), { query: "x" }, { hides })).text).toContain("No results found.");
});

it("asks for the folder as the index names it, for five results and for at most twenty", async () => {
  const code = search([]);
  trial.file("src/a.ts", "");
  const tool = createSemanticSearch(code);
  expect((await trial.run(tool, { query: " x ", path: join(trial.root, "src") })).text).toMatch(/^No results found\./);
  await trial.run(tool, { query: "x", path: "src/*.ts", limit: 100 });
  expect(code.queries).toEqual([
    { query: "x", limit: 5, path: "src" },
    { query: "x", limit: 20, path: "src/*.ts" },
  ]);
  expect((await trial.run(tool, { query: " " })).status).toBe("error");
});

it("searches a collection by its name, and names it with each result", async () => {
  const code = search([hit("/docs/rooms.md", "A room.", { collection: "handbook" })]);
  const { text } = await trial.run(createSemanticSearch(code), { query: "x", path: "handbook" });
  expect(text).toMatch(/^## handbook: \/docs\/rooms\.md:3-9 /);
  trial.file("handbook/own.md", "");
  await trial.run(createSemanticSearch(code), { query: "x", path: "handbook" });
  expect(code.queries).toEqual([
    { query: "x", limit: 5, collection: "handbook" },
    { query: "x", limit: 5, path: "handbook" },
  ]);
});

it("does not answer for a folder that the index does not have, such as a worktree", async () => {
  const elsewhere = new MemoryCodeSearch("/elsewhere", { hits: [hit("a.ts", "x")] });
  const problem = "The index has the files of /elsewhere, not of this folder: use grep.";
  for (const { status, text } of [
    await trial.run(createSemanticSearch(elsewhere), { query: "x" }),
    await trial.run(createSymbols(elsewhere), { name: "x" }),
  ])
    expect([status, text]).toEqual(["error", problem]);
});

it("lists definitions, but none of a hidden file", async () => {
  const symbols = [
    { name: "retry", path: "src/a.ts", line: 4, kind: "function" as const },
    { name: "retryAll", path: "private/b.ts", line: 1, kind: "method" as const },
  ];
  const tool = createSymbols(new MemoryCodeSearch(trial.root, { symbols }));
  const hides = (path: string) => path.includes("private");
  expect((await trial.run(tool, { name: "retry" })).text).toBe(
    "src/a.ts:4: function retry\nprivate/b.ts:1: method retryAll",
  );
  expect((await trial.run(tool, { name: "retry" }, { hides })).text).toBe("src/a.ts:4: function retry");
  const none = createSymbols(new MemoryCodeSearch(trial.root));
  expect((await trial.run(none, { name: "zebra" })).text).toBe("No definition here has zebra in its name.");
});
