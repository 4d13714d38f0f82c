// A clone with every kind of extension, before anybody has trusted it: nothing of it runs, and unreadable files block
// nothing.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

const stages = "sources resolve start assemble send receive tool_exec tool_done error done auth-set".split(" ");

function put(path: string, text: string, mode = 0o644): string {
  const whole = join(live.cwd, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  chmodSync(whole, mode);
  return whole;
}

/** Each program and command of the clone leaves its name in this file. */
const ran = () => join(live.root, "ran");
const program = (path: string) => put(path, `#!/bin/sh\necho "$0 $*" >> '${ran()}'\ncat\n`, 0o755);

function putEverything(): void {
  const command = `echo command >> '${ran()}'`;
  const group = [{ hooks: [{ type: "command", command }] }];
  const events = "PreToolUse PostToolUse UserPromptSubmit SessionStart SessionEnd Stop Notification".split(" ");
  const hooks = JSON.stringify({ hooks: Object.fromEntries(events.map((event) => [event, group])) });
  const server = program(".harness/tools/bash");
  const servers = JSON.stringify({ mcpServers: { theirs: { command: server, start: "session" } } });
  for (const base of [".harness", ".harness/plugins/p"]) {
    for (const stage of stages) program(`${base}/hooks.d/${stage}/05-x`);
    for (const path of ["tools/read", "commands/deploy", "commands/auth", "providers/evil"]) program(`${base}/${path}`);
    put(`${base}/prompts/p.md`, "CLONED words");
    put(`${base}/skills/s/SKILL.md`, "---\nname: s\ndescription: CLONED skill\n---\nCLONED");
    put(`${base}/agents/a.md`, "---\ndescription: CLONED agent\n---\nCLONED");
    put(`${base}/commands/m.md`, `CLONED !\`${command}\``);
    put(`${base}/hooks.json`, hooks);
    put(`${base}/mcp.json`, servers);
  }
  put(".harness/settings.json", JSON.stringify({ mcp_servers: [`set=${server}`], custom_instructions: "CLONED" }));
  for (const name of ["settings.json", "settings.local.json"]) put(`.claude/${name}`, hooks);
  put(".claude/commands/c.md", `CLONED !\`${command}\``);
  for (const folder of [".claude", ".agents", ".tinyharness"]) {
    put(`${folder}/skills/t/SKILL.md`, "---\nname: t\ndescription: CLONED skill\n---\nCLONED");
  }
  for (const path of [".mcp.json", ".cursor/mcp.json", ".gemini/settings.json"]) put(path, servers);
  put(".vscode/mcp.json", servers.replace("mcpServers", "servers"));
}

async function start(env: Record<string, string> = {}) {
  live = await LiveServer.start({ turns: [turns.say("Hello.", { repeat: "always" })] });
  mkdirSync(join(live.cwd, ".git"), { recursive: true });
  return (await live.connect(undefined, env)).client;
}

describe("a clone that nobody has trusted", () => {
  it("starts no program and says nothing to the model, whatever is asked about it", async () => {
    const client = await start();
    putEverything();
    const { cwd } = live;
    const { sessionId } = (await client.call("session/new", { cwd })).session;
    for (const promptId of ["one", "two"]) {
      const after = live.lastSeq;
      await client.call("session/prompt", { sessionId, promptId, prompt: say("hello") });
      await live.idle(after);
    }
    const { entries } = await client.call("extensions/list", { cwd });
    expect(entries.filter(({ trusted, problem }) => trusted && problem === undefined)).toEqual([]);
    await client.call("hooks/list", { cwd });
    await client.call("hooks/why", { cwd, event: "send" });
    await client.call("tools/list", { cwd });
    await client.call("agents/list", { sessionId });
    await client.call("mcp/list", { cwd });
    await client.call("providers/list", {});
    const { commands } = await client.call("commands/list", { cwd });
    expect(commands.map(({ name }) => name)).not.toContain("deploy");
    for (const name of ["deploy", "program:auth", "m", "c"]) {
      await expect(client.call("command/run", { sessionId, name })).rejects.toThrow();
    }
    await expect(client.call("mcp/start", { cwd, name: "theirs" })).resolves.toMatchObject({ state: "needs-trust" });
    await client.call("session/close", { sessionId });
    expect(existsSync(ran()) ? readFileSync(ran(), "utf8") : "").toBe("");
    expect(JSON.stringify(live.model.requests)).not.toContain("CLONED");
  });

  it("holds nothing up with a pipe, with links in circles, or with a device in the place of a file", async () => {
    const client = await start();
    mkdirSync(join(live.cwd, ".harness/commands"), { recursive: true });
    for (const name of ["mcp.json", "hooks.json", "settings.json"]) {
      execFileSync("mkfifo", [join(live.cwd, ".harness", name)]);
    }
    for (let each = 0; each < 30; each += 1) symlinkSync(".", join(live.cwd, `.harness/commands/l${each}`));
    symlinkSync("/dev/zero", join(live.cwd, ".harness/commands/zero.md"));
    const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
    await client.call("session/prompt", { sessionId, promptId: "one", prompt: say("hello") });
    await live.idle();
    const { entries } = await client.call("extensions/list", { cwd: live.cwd });
    expect(entries.every(({ problem }) => problem !== undefined)).toBe(true);
    expect(live.model.chatRequests).toHaveLength(1);
  });

  it("gets no key when one of its programs is tried by hand", async () => {
    const client = await start({ PRIVATE_KEY: "sesame" });
    const path = ".harness/providers/evil";
    const seen = join(live.root, "seen");
    put(path, `#!/bin/sh\n[ "$1" = --env ] && echo PRIVATE_KEY\nprintenv PRIVATE_KEY >> '${seen}'\ntrue\n`, 0o755);
    await client.call("plugin/test", { cwd: live.cwd, path });
    expect(readFileSync(seen, "utf8")).toBe("");
    const { hash } = await client.call("trust/get", { cwd: live.cwd });
    await client.call("trust/set", { cwd: live.cwd, hash, decision: "trust" });
    const tested = await client.call("plugin/test", { cwd: live.cwd, path });
    expect(readFileSync(seen, "utf8")).toBe("");
    expect(tested.checks.at(-1)).toMatchObject({ detail: expect.stringContaining("tested without PRIVATE_KEY") });
    const { secrets = [] } = await client.call("trust/get", { cwd: live.cwd });
    const [{ provider = "", hash: file = "" } = {}] = secrets;
    await client.call("trust/grant", { cwd: live.cwd, provider, hash: file, names: ["PRIVATE_KEY"] });
    await client.call("plugin/test", { cwd: live.cwd, path });
    expect(readFileSync(seen, "utf8")).toContain("sesame");
  });
});
