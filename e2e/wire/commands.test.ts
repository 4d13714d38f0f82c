// Slash commands over the real server: those that need no session run without one, and none is created for them.
import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { HarnessClient } from "@harness/client";
import { ProtocolError } from "@harness/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LiveServer } from "../support/live-server.ts";

let live: LiveServer;
let client: HarnessClient;

beforeAll(async () => {
  live = await LiveServer.start({ turns: [] });
  mkdirSync(live.cwd);
  ({ client } = await live.connect());
});
afterAll(() => live?.close());

const problemOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => (error instanceof ProtocolError ? { kind: error.kind, message: error.message } : error),
  );

describe("a slash command without a session", () => {
  it.each([
    ["audit", "", "There are no permission decisions yet."],
    ["egress", "", "harness has sent nothing since the server started."],
    ["permissions", "", "No rules:"],
    ["command", "list", "Without asking (the built-in list"],
    ["autoaccept", "", "Safe commands run without asking."],
    ["tools", "", "bash: "],
    ["think", "", "effort is not set. /think VALUE changes it"],
    ["think", "high", "effort is now high."],
    ["think", "off", "effort is now none."],
    ["think", "on", "effort is now not set."],
    ["showthink", "", "show_thinking is now true."],
    ["showthink", "off", "show_thinking is now false."],
    ["vim", "", "editor_mode is now vim."],
    ["vim", "", "editor_mode is now normal."],
    ["vim", "on", "editor_mode is now vim."],
    ["bug", "It beeps.", "Nothing was sent."],
    ["contextlimit", "12000", "context_limit is now 12000."],
    ["contextlimit", "reset", "context_limit is now not set."],
    ["timeout", "30", "request_timeout_secs is now 30."],
    ["retries", "2", "max_retries is now 2."],
    ["project-settings", "init", ".harness/settings.json"],
    ["toggle-toolcall-json", "", "/inspect"],
  ])("/%s %s answers", async (name, args, text) => {
    expect((await client.call("command/run", { cwd: live.cwd, name, args })).text).toContain(text);
  });

  it("is not listed where it is another program's name for something", async () => {
    const { commands } = await client.call("commands/list", { cwd: live.cwd });
    const names = commands.map(({ name }) => name);
    for (const name of ["think", "timeout", "project-settings"]) expect(names).not.toContain(name);
    const { commands: asked } = await client.call("commands/list", { cwd: live.cwd, name: "think" });
    expect(asked.map(({ name }) => name)).toContain("think");
    const { commands: aliased } = await client.call("commands/list", { cwd: live.cwd, name: "approvals" });
    expect(aliased.find(({ name }) => name === "permissions")?.aliases).toEqual(["approvals", "allowed-tools"]);
    expect(aliased.length).toBe(commands.length);
    expect((await client.call("command/run", { cwd: live.cwd, name: "approvals" })).text).toContain("No rules:");
    const wrong = client.call("command/run", { cwd: live.cwd, name: "contextlimit", args: "lots" });
    expect(JSON.stringify(await problemOf(wrong))).toMatch(/context_limit must be a whole number/);
  });

  it("refuses arguments that it does not take, and says what it takes", async () => {
    const asked = client.call("command/run", { cwd: live.cwd, name: "audit", args: "session" });
    expect(await problemOf(asked)).toEqual({ kind: "invalid_params", message: "Name a session: /audit session ID." });
  });

  it("keeps a rule for the folder that is named", async () => {
    const run = async (args: string) =>
      (await client.call("command/run", { cwd: live.cwd, name: "permissions", args })).text;
    expect(await run("deny bash(rm)")).toMatch(/^Added: deny bash\(rm\)/);
    const listed = await run("");
    expect(listed).toContain("1. deny bash(rm)");
    expect(listed).toMatch(new RegExp(`^This project: [~/].*/${basename(live.cwd)}$`, "m"));
    expect(listed).not.toMatch(/[0-9a-f]{64}/);
    expect(await run("revoke 1")).toContain("deny bash(rm)");
  });

  it("is refused where it needs a session, and in a missing folder", async () => {
    const { commands } = await client.call("commands/list", {});
    const needing = commands.filter(({ needsSession }) => needsSession).map(({ name }) => name);
    expect(needing.sort()).toEqual([
      "add",
      "agent",
      "agents",
      "casual",
      "compact",
      "context",
      "continue",
      "diff",
      "drop",
      "dropall",
      "export",
      "files",
      "goal",
      "init",
      "inspect",
      "mode",
      "pending",
      "plan",
      "recall",
      "redo",
      "refresh",
      "research",
      "retry",
      "review",
      "rewind",
      "skill",
      "undo",
      "unload",
      "use",
      "worktree",
    ]);
    for (const name of needing) {
      expect(await problemOf(client.call("command/run", { cwd: live.cwd, name }))).toEqual({
        kind: "invalid_params",
        message: `/${name} needs a session, and none was named.`,
      });
    }
    const gone = join(live.cwd, "gone");
    expect(await problemOf(client.call("command/run", { cwd: gone, name: "audit" }))).toMatchObject({
      kind: "invalid_params",
    });
  });

  it("creates no session", async () => {
    expect((await client.call("session/list", {})).sessions).toEqual([]);
  });
});
