import { describe, expect, it } from "vitest";
import { bannedNames, readGlossary, undefinedNouns, unknownClasses, wordsOf } from "./glossary.ts";
import { readSourceFile } from "./source-files.ts";

const page = `# Glossary

| noun | meaning | file | name |
| --- | --- | --- | --- |
| **session** | A conversation. | \`packages/core/src/session.ts\` | \`Session\` |
| **agent mode** | What an agent may do. | \`packages/core/src/mode.ts\` | \`AgentMode\` |

## Technical nouns

Such as \`queue\`.

## Words that no name has

\`desk\`, \`most\`.
`;
const files = [
  readSourceFile("packages/core/src/session.ts", "export class Session {} export class SessionDesk {} const desk = 1;"),
  readSourceFile("packages/core/src/mode.ts", "export type Mode = string; export const MOST_MODES = 1;"),
  readSourceFile(
    "packages/core/src/queue.ts",
    "export class PromptQueue {} export class StrictMode {} export class OpenSessions {}",
  ),
  readSourceFile("packages/tui/src/box.ts", "export class Box {}"),
  readSourceFile("packages/core/src/x.test.ts", "export class Desk {}"),
];

describe("the glossary", () => {
  it("has at most thirty nouns, each defined once in one sentence", () => {
    const { nouns, banned, technical } = readGlossary();
    expect(nouns.length).toBeGreaterThan(15);
    expect(nouns.length).toBeLessThanOrEqual(30);
    expect(new Set(nouns.map(({ noun }) => noun)).size).toBe(nouns.length);
    expect([...technical].filter((word) => banned.has(word))).toEqual([]);
    expect(banned.size).toBeGreaterThan(15);
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

  it("find a core class that does not end in a known noun", () => {
    expect(unknownClasses(files, glossary)).toEqual([
      "packages/core/src/session.ts: the class SessionDesk ends in no noun of docs/glossary.md",
    ]);
  });
});
