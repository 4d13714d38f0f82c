import { describe, expect, it } from "vitest";
import { readSlashLine } from "./slash-line.ts";

describe("a message", () => {
  it.each([
    ["/audit", { name: "audit", args: "" }],
    ["/audit last 5", { name: "audit", args: "last 5" }],
    ["/Permissions\tdeny  bash(rm)", { name: "permissions", args: "deny  bash(rm)" }],
    ["/unknown-thing", { name: "unknown-thing", args: "" }],
    ["/Frontend:component Button", { name: "frontend:component", args: "Button" }],
    ["/mcp:server.v2:prüfe_es x", { name: "mcp:server.v2:prüfe_es", args: "x" }],
  ])("%j is a slash command", (prompt, command) => expect(readSlashLine(prompt)).toEqual(command));

  it.each([[" /audit"], ["/usr/bin is full"], ["/"], ["/ audit"], ["//comment"], ["/2 is half"], ["audit"], [""]])(
    "%j is a message",
    (prompt) => expect(readSlashLine(prompt)).toBeUndefined(),
  );
});
