// Every method while nothing can be written: the response says so, or the method needs no disk. Never "a bug".
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { HarnessClient } from "@harness/client";
import { type CallParams, type ErrorKind, ProtocolError, type ServerMethods, serverMethods } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

type Name = keyof ServerMethods & string;
const hasPrlimit = spawnSync("prlimit", ["--version"]).status === 0;
const missing = hasPrlimit ? "" : " - skipped: no prlimit";

/** Files may not grow beyond their current size: every write fails as on a full disk, with a different code. */
function setDisk(pid: number | undefined, state: "full" | "free"): void {
  const limit = state === "full" ? "0:unlimited" : "unlimited:unlimited";
  expect(spawnSync("prlimit", ["--pid", String(pid), `--fsize=${limit}`]).status).toBe(0);
}

/** Left out: methods that end the server or the session, or that no client calls after it has begun. */
const ENDING = [
  "session/keep",
  "initialize",
  "shutdown",
  "session/close",
  "session/delete",
  "session/detach",
  "session/stop",
] as const;
type Asked = Exclude<Name, (typeof ENDING)[number]>;

const agent = { name: "fresh", description: "Does it.", prompt: "Do it." };
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function paramsOf(cwd: string, sessionId: string): { [M in Asked]: CallParams<ServerMethods, M> } {
  const of = { sessionId };
  return {
    "server/status": {},
    "session/live": {},
    "session/new": { cwd },
    "session/list": {},
    "session/check": {},
    "session/replay": of,
    "session/get": of,
    "session/moved": { cwd },
    "session/resume": of,
    "session/folder": {},
    "session/history": of,
    "session/tail": of,
    "session/fork": of,
    "session/archive": { ...of, archived: true },
    "session/restore": { sessionId: "absent" },
    "session/brief": of,
    "session/import": { path: join(cwd, "foreign.jsonl") },
    "session/importable": { from: "claude" },
    "import/list": {},
    "import/take": { version: "absent" },
    "import/decline": {},
    "import/offer": {},
    "session/export": { ...of, format: "md", path: join(cwd, "talk.md") },
    "session/search": { query: "x" },
    "session/set_title": { ...of, title: "another" },
    "session/set_config_option": { ...of, config: { mode: "planning" } },
    "session/prompt": { ...of, promptId: "p2", prompt: say("go on") },
    "prompts/add": { cwd, text: "typed" },
    "prompts/list": {},
    "session/unqueue": { ...of, promptId: "p9" },
    "session/cancel": of,
    "tool_call/cancel": { ...of, toolCallId: "c" },
    "session/shell": { ...of, command: "true" },
    "session/compact": of,
    "image/load": { source: { from: "data", data: png } },
    "image/draw": { data: png, widthPx: 4, heightPx: 4, form: "rgba" },
    "prompt/preview": { text: "hello", at: of },
    "session/context": of,
    "session/request": of,
    "session/compaction": of,
    "session/recall": { ...of, query: "x" },
    "agents/definitions": {},
    "agents/save": { cwd, agent },
    "agents/remove": { cwd, name: "absent" },
    "agents/list": of,
    "agents/worktree": { ...of, agentId: "agent-1", action: "diff" },
    "process/list": of,
    "process/read": { ...of, processId: "x" },
    "process/send": { ...of, processId: "x", input: "y" },
    "process/stop": { ...of, processId: "x" },
    "process/keep": { ...of, processId: "x", keep: true },
    "permission/list": {},
    "permission/reply": { ...of, permissionId: "x", outcome: { outcome: "cancelled" } },
    "permissions/list": { cwd },
    "permissions/add": { cwd, scope: "user", decision: "allow", rule: "bash(git status)" },
    "permissions/revoke": { cwd, ruleId: "x" },
    "audit/list": {},
    "audit/clear": {},
    "session/diff": of,
    "session/undo": of,
    "session/redo": of,
    "undo/hint": {},
    "session/rewind": { ...of, messageId: "x", what: "both" },
    "trust/get": { cwd },
    "trust/set": { cwd, hash: "x", decision: "refuse" },
    "trust/grant": { cwd, provider: "absent", hash: "x", names: [] },
    "egress/list": {},
    "settings/get": {},
    "settings/set": { edits: [{ key: "max_turns", value: 7 }] },
    "keys/get": {},
    "keys/set": { action: "screen.history", keys: ["ctrl+y"] },
    "models/list": {},
    "providers/list": {},
    "providers/find": { address: "http://127.0.0.1:9" },
    "models/doctor": {},
    "models/add": { path: join(cwd, "absent.gguf"), install: false },
    "models/pull": { provider: "ollama", model: "absent" },
    "models/load": { provider: "lmstudio", model: "absent" },
    "models/remove": { name: "absent" },
    "usage/get": {},
    "auth/list": {},
    "auth/set": { provider: "openai", key: "sk-some-key-of-the-test" },
    "auth/obtain": { provider: "openai" },
    "auth/remove": { provider: "openai" },
    "auth/login": { provider: "openai" },
    "auth/paste": { loginId: "x", text: "y" },
    "auth/cancel": { loginId: "x" },
    "commands/list": {},
    "command/run": { name: "export", ...of },
    "extensions/list": {},
    "hooks/list": {},
    "hooks/why": { event: "done" },
    "mcp/list": {},
    "mcp/start": { name: "absent" },
    "mcp/login": { name: "absent" },
    "mcp/complete": {},
    "mcp/logs": { name: "absent" },
    "mcp/add": { cwd, scope: "user", name: "fresh", command: "true" },
    "mcp/remove": { cwd, scope: "user", name: "absent" },
    "tools/list": {},
    "plugin/new": { cwd, kind: "tool", name: "fresh" },
    "plugin/test": { cwd, path: "absent" },
    "hud/get": of,
    "workspace/overview": { cwd },
    "workspace/worktree": { cwd, name: "apart" },
    "files/search": { cwd, query: "x" },
    "index/status": { cwd },
    "index/refresh": { cwd },
    "index/describe_embedder": { cwd, name: "none" },
    "index/set_embedder": { cwd, name: "none" },
    "index/pause": { isPaused: false },
    "index/add": { cwd, folder: join(cwd, "none") },
    "index/list": { cwd },
    "index/remove": { cwd },
    "index/search": { cwd, query: "x" },
    "index/symbols": { cwd, name: "x" },
  } satisfies { [M in Asked]: CallParams<ServerMethods, M> };
}

/** Methods that write: the message must name the place, and nothing may be left behind that would block a retry. */
const WRITING: readonly Asked[] = [
  "session/prompt",
  "session/fork",
  "session/archive",
  "session/shell",
  "session/compact",
  "session/export",
  "session/undo",
  "prompts/add",
  "agents/save",
  "permissions/add",
  "settings/set",
  "import/decline",
  "keys/set",
  "mcp/add",
  "plugin/new",
];

const names = Object.keys(serverMethods).filter((name) => !ENDING.some((each) => each === name)) as Asked[];

describe.skipIf(!hasPrlimit)(`methods on a full disk${missing}`, () => {
  let live: LiveServer;
  let client: HarnessClient;
  let pid: number | undefined;
  let params: ReturnType<typeof paramsOf>;
  const errors = new Map<Asked, { kind: ErrorKind; message: string }>();

  const call = async (name: Asked): Promise<void> => {
    const anyCall = client.call as (method: Asked, params: unknown) => Promise<unknown>;
    try {
      await anyCall(name, params[name]);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      errors.set(name, { kind: error.kind, message: error.message });
    }
  };

  beforeAll(async () => {
    live = await LiveServer.start({ turns: [turns.say("Done.", { repeat: "always" })] });
    mkdirSync(live.cwd);
    const connected = await live.connect();
    ({ client } = connected);
    ({ pid } = connected.process);
    const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
    await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("hello") });
    await live.idle();
    params = paramsOf(live.cwd, sessionId);
    setDisk(pid, "full");
    for (const name of names) await call(name);
  });
  afterAll(() => live.close());

  it.each(names)("no bug is reported: %s", (name) => {
    expect(errors.get(name)?.kind).not.toBe("internal");
  });

  it.each(WRITING)("says what could not be saved, and may be tried again: %s", (name) => {
    expect(errors.get(name)).toMatchObject({ kind: "storage_failed" });
    expect(errors.get(name)?.message).not.toContain("complete ");
    if (name !== "session/prompt") expect(errors.get(name)?.message).not.toContain("The message was not sent");
  });

  it("leaves nothing behind, and the same works with space", async () => {
    const { home } = live;
    expect(existsSync(join(home, "agents/fresh.md"))).toBe(false);
    expect(existsSync(join(home, "tools/fresh"))).toBe(false);
    const all = readdirSync(home, { recursive: true, encoding: "utf8" });
    expect(all.filter((path) => path.endsWith(".tmp"))).toEqual([]);
    setDisk(pid, "free");
    errors.clear();
    for (const name of WRITING) if (name !== "session/undo" && name !== "session/compact") await call(name);
    expect([...errors]).toEqual([]);
  });
});
