import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileStamps } from "@harness/host";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { HookLog } from "../hooks/runs/hook-log.ts";
import { HookRuns } from "../hooks/runs/hook-runs.ts";
import { SourceInventory } from "../sources/source-inventory.ts";
import { ClaudeHooks } from "./claude-hooks.ts";
import { EventRunner } from "./event-runner.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "events-")));
  mkdirSync(join(root, "project/.harness"), { recursive: true });
  mkdirSync(join(root, "worktree"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function runnerOf(hooks: object[], mode: "agent" | "planning" = "agent"): EventRunner {
  const groups = [{ hooks: hooks.map((hook) => ({ type: "command", ...hook })) }];
  writeFileSync(join(root, "project/.harness/hooks.json"), JSON.stringify({ PreToolUse: groups }));
  const cwd = join(root, "project");
  const trust = {
    standing: () => "",
    isTrusted: (folder: string) => folder === cwd,
    leadsOut: () => false,
    hasLapsed: () => false,
  };
  const places = { configFolder: join(root, "config"), home: join(root, "home") };
  const sources = new SourceInventory({ places, stamps: new FileStamps(), trust, chosenProvider: undefined });
  const facts = { version: "1", root: undefined, home: root, config: "/config", sessions: root };
  return new EventRunner({
    hooks: new ClaudeHooks(sources),
    runs: new HookRuns(join(root, "runs.jsonl"), () => undefined),
    place: {
      environment: () => ({ PATH: process.env.PATH, A_SECRET: "s", WANTED: "w" }),
      facts: () => facts,
      log: new HookLog(undefined, (text) => text),
      sessionId: "s",
      isPrivate: true,
      isCurrent: () => true,
    },
    session: { sessionId: "s", cwd, transcriptPath: "/log", permissionMode: () => "accept-edits", mode: () => mode },
    nowMs: () => 0,
  });
}
const ask = (runner: EventRunner, cwd: string) =>
  runner.run({ event: "PreToolUse", fields: { tool_name: "Bash" }, cwd, signal: new AbortController().signal });
const text = (name: string) => readFileSync(join(root, name), "utf8");

it("hooks of a session's folder count for agents that work elsewhere, with few variables and the project's folder", async () => {
  const runner = runnerOf([{ command: `env > ../env; pwd > ../pwd; cat > ../input; exit 2`, pass_env: ["WANTED"] }]);
  expect(runner.has("PreToolUse")).toBe(true);
  expect(runner.has("Stop")).toBe(false);
  expect((await ask(runner, join(root, "worktree"))).block).toContain("gave no reason");
  expect(text("pwd")).toBe(`${join(root, "worktree")}\n`);
  expect(text("env")).toContain(`CLAUDE_PROJECT_DIR=${join(root, "project")}\n`);
  expect(text("env")).toContain("WANTED=w\n");
  expect(text("env")).not.toContain("A_SECRET");
  expect(JSON.parse(text("input"))).toEqual({
    session_id: "s",
    transcript_path: "/log",
    cwd: join(root, "worktree"),
    permission_mode: "acceptEdits",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
  });
});

it("hooks know planning by the name of plan mode", async () => {
  await ask(runnerOf([{ command: "cat > ../input" }], "planning"), join(root, "worktree"));
  expect(JSON.parse(text("input"))).toMatchObject({ permission_mode: "plan" });
});

it("hooks with the same command run once, and what is not waited for does not hold anything up", async () => {
  const gate = join(root, "gate");
  const waits = `while [ ! -e '${gate}' ]; do sleep 0.05; done; echo late > '${join(root, "late")}'`;
  const runner = runnerOf([
    { command: "echo x >> ../count" },
    { command: "echo x >> ../count" },
    { command: waits, async: true },
  ]);
  expect(await ask(runner, join(root, "worktree"))).toEqual({ context: [], warnings: [] });
  expect(text("count")).toBe("x\n");
  writeFileSync(gate, "");
  await vi.waitFor(() => expect(existsSync(join(root, "late"))).toBe(true), { timeout: 10_000 });
});
