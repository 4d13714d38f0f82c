import { describe, expect, it } from "vitest";
import { bannedNames, idleWords, readGlossary, undefinedNouns, unknownEndings, wordsOf } from "./glossary.ts";
import { readSourceFile } from "./source-files.ts";

const page = `# Glossary

## Core nouns

| noun | meaning | file | name |
| --- | --- | --- | --- |
| **session** | A conversation. | \`packages/core/src/session.ts\` | \`Session\` |

## Nouns of single rooms

| noun | meaning | file | name |
| --- | --- | --- | --- |
| **agent mode** | What an agent may do. | \`packages/core/src/mode.ts\` | \`AgentMode\` |

## Shared endings

| word | meaning |
| --- | --- |
| **row** | An entry of a table. |

## Technical nouns

Such as \`queue\`.

## Words that no name has

\`desk\`, \`most\`.
`;
const rows = ["A", "B", "C", "D", "E"].map((each) => `export type ${each}Row = string;`).join(" ");
const files = [
  readSourceFile("packages/core/src/session.ts", "export class Session {} export class SessionDesk {} const desk = 1;"),
  readSourceFile("packages/core/src/mode.ts", "export type Mode = string; export const MOST_MODES = 1;"),
  readSourceFile(
    "packages/core/src/queue.ts",
    "export class PromptQueue {} export class StrictMode {} export class OpenSessions {}",
  ),
  readSourceFile("packages/tui/src/rows.ts", rows),
  readSourceFile("packages/core/src/x.test.ts", "export class Desk {}"),
];

describe("the glossary", () => {
  it("has at most thirty core nouns, and as few again of single rooms", () => {
    const { core, rooms, banned, technical, participles, endings } = readGlossary();
    expect(core.length).toBeGreaterThan(15);
    expect(core.length).toBeLessThanOrEqual(30);
    expect(rooms.length).toBeLessThanOrEqual(30);
    expect(technical.filter((word) => banned.has(word))).toEqual([]);
    expect(banned.size).toBeGreaterThan(15);
    expect(participles.size).toBeGreaterThan(50);
    expect([...endings]).toEqual(["parts", "names", "place", "places"]);
  });

  it.each([
    ["readHTTPLine", ["read", "http", "line"]],
    ["MOST_LINES", ["most", "lines"]],
    ["Session", ["session"]],
  ])("splits %s into words", (name, words) => {
    expect(wordsOf(name)).toEqual(words);
  });
});

describe("the naming rules", () => {
  const glossary = readGlossary(page);

  it("find a noun that its file does not define", () => {
    expect(undefinedNouns(files, glossary)).toEqual([
      "docs/glossary.md, agent mode: packages/core/src/mode.ts exports no AgentMode",
    ]);
  });

  it("find a banned word in an exported name, but not inside a word or in a test", () => {
    expect(bannedNames(files, glossary)).toEqual([
      "packages/core/src/session.ts: SessionDesk has the word desk (docs/glossary.md)",
      "packages/core/src/mode.ts: MOST_MODES has the word most (docs/glossary.md)",
    ]);
  });

  it("find a class of any package that does not end in a known noun", () => {
    expect(unknownEndings(files, glossary)).toEqual([
      "packages/core/src/session.ts: the class SessionDesk ends in no noun of docs/glossary.md",
    ]);
    const box = readSourceFile("packages/tui/src/box.ts", "export class Box {}");
    expect(unknownEndings([box], glossary)).toHaveLength(1);
  });

  it("find a last word that many types share and the page does not explain, in singular or plural", () => {
    const [, , , table] = files;
    const boxes = readSourceFile("packages/a/src/a.ts", rows.replaceAll("Row", "Box").replace("ABox", "ABoxes"));
    expect(unknownEndings(table ? [table, boxes] : [], glossary)).toEqual([
      'docs/glossary.md does not say what "box" means: 5 types end in it, such as ABoxes',
    ]);
  });

  it("find a word that is on the page twice, or that nothing is called by", () => {
    expect(idleWords(files, glossary)).toEqual([]);
    const longer = readGlossary(page.replace("Such as `queue`.", "`queue`, `row`, `spool`."));
    expect(idleWords(files, longer)).toEqual([
      "docs/glossary.md has the word row twice",
      "docs/glossary.md has the word spool, and no exported type or class ends in it",
    ]);
  });
});
