import type { Permission } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import type { Row } from "../../text/index.ts";
import { DrawingCode } from "../../text/markdown/drawing-code.ts";
import { optionalRows, permissionBody } from "./permission-body.ts";

const rowText = ({ spans }: Row): string => spans.map(({ text }) => text).join("");
const look = { width: 80, root: "/w", titleWidth: 60, origin: [], isAiry: true, code: new DrawingCode() };

function permission(paths: readonly string[]): Permission {
  const effects = paths.map((path) => ({ kind: "write" as const, path: `/w/${path}` }));
  const names = { permissionId: "p", agentId: "main", toolCallId: "c", tool: "x", title: "x", reason: "writes files" };
  return { ...names, risk: "high", effects, preview: [], options: [] };
}

it("names the first of many files, and counts the others by their folders", () => {
  const many = [".envrc", ...Array.from({ length: 500 }, (_, n) => (n % 5 === 0 ? `f${n}` : `src/f${n}`))];
  const rows = permissionBody(permission(many), look).map(rowText);
  expect(rows.join("\n")).toContain("/w/.envrc");
  expect(rows.at(-1)).toBe("… and 489 more: 392 in src/, 97 at the top");
  expect(rows.length).toBeLessThan(20);
  expect(
    permissionBody(permission(many.slice(0, 10)), look)
      .map(rowText)
      .join("\n"),
  ).not.toContain("more:");
});

describe("rows that need not be seen", () => {
  const command = (lines: number) => Array.from({ length: lines }, (_, at) => `echo ${at}`).join("\n");
  const asked = (lines: number, title = "bash x"): Permission => ({
    ...permission([]),
    title,
    effects: [{ kind: "run", command: command(lines), cwd: "/w" }],
    preview: [{ type: "terminal", command: command(lines), output: "", exitCode: null, durationMs: 0 }],
    notes: [
      { kind: "undo", text: "/undo does not revert it." },
      { kind: "runs", text: "curl (inside)" },
      { kind: "sandbox", text: "It runs in the sandbox." },
      { kind: "deletes", text: "build" },
    ],
  });

  it.each([1, 7, 8, 9, 30])("are the sentences below a command of %i lines, and nothing else", (lines) => {
    const whole = asked(lines);
    const rows = permissionBody(whole, look).map(rowText);
    const optional = rows.slice(rows.length - optionalRows(whole, look));
    expect(optional).toEqual(lines > 8 ? [] : ["/undo does not revert it.", "It runs in the sandbox."]);
  });

  it("are none where a title takes the room of a short command, or for edits", () => {
    const odd = { ...asked(8), tool: "run_script", title: `run_script ${"x".repeat(200)}`, preview: [] };
    const edits = { ...asked(1), effects: [{ kind: "write" as const, path: "/w/a" }] };
    for (const each of [odd, edits]) {
      const rows = permissionBody(each, look).map(rowText);
      const needed = rows.slice(0, rows.length - optionalRows(each, look)).join("\n");
      for (const said of ["curl (inside)", "build"]) expect(needed).toContain(said);
    }
    expect(optionalRows(edits, look)).toBe(0);
  });
});
