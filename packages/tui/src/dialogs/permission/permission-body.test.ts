import type { Permission } from "@harness/protocol";
import { expect, it } from "vitest";
import type { Row } from "../../text/index.ts";
import { DrawingCode } from "../../text/markdown/drawing-code.ts";
import { permissionBody } from "./permission-body.ts";

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
