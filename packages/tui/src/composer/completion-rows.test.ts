import { describe, expect, it } from "vitest";
import { textOfRow } from "../text/style.ts";
import { completionRows } from "./completion-rows.ts";

const item = (label: string, detail: string) => ({ label, detail, insert: `${label} ` });
const items = [
  item("/compact", "[what to keep | diff]  Summarise older messages"),
  item("/frontend:component", "<name>  project: Writes a component."),
  item("/mcp:everything:prompt_with_arguments", "MCP everything: A prompt."),
  item("/pdf", "yours, skill: Reads PDF files."),
];
const drawn = (columns: number) =>
  completionRows({ kind: "command", from: 0, to: 1, items, selected: 1 }, { columns, rows: 30 }).map(textOfRow);

describe("the completion menu of slash commands", () => {
  it("has names, what may follow, who brings them along and what they do, in columns", () => {
    expect(drawn(100)).toEqual([
      "   /compact                               [what to keep | diff]  Summarise older messages",
      " › /frontend:component                    <name>  project: Writes a component.",
      "   /mcp:everything:prompt_with_arguments  MCP everything: A prompt.",
      "   /pdf                                   yours, skill: Reads PDF files.",
    ]);
  });

  it("leaves room for what they do in a narrow window", () => {
    expect(drawn(40)).toEqual([
      "   /compact            [what to keep |…",
      " › /frontend:component <name>  project…",
      "   /mcp:everything:pr… MCP everything:…",
      "   /pdf                yours, skill: R…",
    ]);
  });
});
