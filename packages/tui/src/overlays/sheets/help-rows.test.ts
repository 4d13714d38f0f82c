import { describe, expect, it } from "vitest";
import { helpTables } from "../../app/docs.ts";
import { usualKeymap } from "../../keymap/keymap.ts";
import { helpRows } from "./help-rows.ts";

const description =
  "Stands for whatever a server has to say of a command, in more words than a row of a small screen has room for";
const argumentHint = "ONE | TWO | THREE FOUR | FIVE SIX | SEVEN";
const tables = helpTables({ serverCommands: [{ name: "far", description, argumentHint, needsSession: true }] });
const NAMES = 34;

describe("help", () => {
  it.each([40, 60, 80, 120])("cuts neither names nor purposes at %i columns", (columns) => {
    const rows = helpRows(tables, {
      hud: undefined,
      permissionMode: "default",
      agentMode: undefined,
      keymap: usualKeymap,
      size: { columns, rows: 24 },
    });
    const lines = rows.map(({ spans }) => spans.map(({ text }) => text).join(""));
    expect(lines.filter((line) => line.length > columns - 2 || line.includes("…"))).toEqual([]);
    const border = Math.min(NAMES, (columns - 2) / 2);
    const joined = (parts: string[]): string => parts.join(" ").replace(/\s+/g, " ");
    expect(joined(lines.map((line) => line.slice(0, border)))).toContain(
      "/far ONE | TWO | THREE FOUR | FIVE SIX | SEVEN",
    );
    expect(joined(lines.map((line) => line.slice(border)))).toContain(description);
  });
});
