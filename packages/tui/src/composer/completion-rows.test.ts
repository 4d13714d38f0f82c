import { describe, expect, it } from "vitest";
import { textOfRow } from "../text/style.ts";
import { completionRows } from "./completion-rows.ts";

const item = (label: string, detail: string, follows?: string) => ({
  label,
  detail,
  insert: `${label} `,
  ...(follows && { follows }),
});
const items = [
  item("/compact", "Summarise older messages", "[what to keep | diff]"),
  item("/agents", "Open, message or stop the agents", "[list | show | new | edit | rm NAME]"),
  item("/frontend:component", "project: Writes a component", "<name>"),
  item("/mcp:everything:prompt_with_arguments", "MCP everything: A prompt"),
  item("/pdf", "yours, skill: Reads PDF files"),
];
const drawn = (columns: number) =>
  completionRows({ kind: "command", from: 0, to: 1, items, selected: 1 }, { columns, rows: 30 }).map(textOfRow);

describe("a long completion menu", () => {
  it("says how many more there are above and below", () => {
    const many = Array.from({ length: 26 }, (_, at) => item(`/c${at}`, ""));
    const rows = (selected: number) =>
      completionRows({ kind: "command", from: 0, to: 1, items: many, selected }, { columns: 40, rows: 30 }).map(
        textOfRow,
      );
    expect(rows(0)).toHaveLength(8);
    expect(rows(0).at(-1)).toBe("   ↓ 19 more");
    expect(rows(12).at(-1)).toMatch(/^ {3}↑ \d+ · ↓ \d+ more$/);
    expect(rows(25).at(-1)).toBe("   ↑ 19 more");
  });

  it("says what the command takes, above its values", () => {
    const rows = completionRows(
      { kind: "argument", from: 6, to: 6, items: [item("planning", "")], selected: -1, hint: "/mode [MODE]" },
      { columns: 40, rows: 30 },
    ).map(textOfRow);
    expect(rows).toEqual(["   /mode [MODE]", "   planning"]);
  });
});

describe("the completion menu of slash commands", () => {
  it("has names, what may follow, who brings them along and what they do, in columns", () => {
    expect(drawn(100)).toEqual([
      "   /compact                      Summarise older messages",
      " › /agents                       Open, message or stop the agents",
      "   /frontend:component <name>    project: Writes a component",
      "   /mcp:everything:prompt_with_arguments  MCP everything: A prompt",
      "   /pdf                          yours, skill: Reads PDF files",
    ]);
  });

  it("leaves room for what they do in a narrow window", () => {
    expect(drawn(40)).toEqual([
      "   /compact            Summarise older…",
      " › /agents             Open, message o…",
      "   /frontend:component project: Writes…",
      "   /mcp:everything:prompt_with_arguments",
      "   /pdf                yours, skill: R…",
    ]);
  });
});
