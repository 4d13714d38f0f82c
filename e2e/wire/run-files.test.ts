// Programs run by trusted hooks, MCP servers and git are protected like the files that name them, over the wire of a
// real server.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

type Script = Parameters<typeof LiveServer.start>[0]["turns"] & object[];

function put(path: string, content: unknown, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content), { mode });
}
const hook = (command: string) => ({ hooks: { PostToolUse: [{ hooks: [{ type: "command", command }] }] } });

/** A hook of the user and one of the project, an MCP server, and git's hooks, all with programs of the workspace. */
async function session(script: Script, permissionMode: "accept-edits" | "allow-all" | "auto-in-sandbox") {
  live = await LiveServer.start({ turns: script });
  const here = (name: string) => join(live.cwd, name);
  put(here(".git/config"), "[core]\n\thooksPath = tools/hooks\n");
  put(here(".git/HEAD"), "ref: refs/heads/main\n");
  put(here("scripts/fmt.sh"), "#!/bin/sh\ntrue\n", 0o755);
  put(here("scripts/mine.sh"), "#!/bin/sh\ntrue\n", 0o755);
  const all = "scripts/fmt.sh scripts/mine.sh tools/mcp.mjs tools/hooks/pre-commit";
  put(
    here("attack"),
    `for f in ${all}; do (echo bad > $f); done; mv scripts gone; echo x > tools/hooks/new; touch fine\n`,
  );
  put(here("tools/mcp.mjs"), "");
  put(here("tools/hooks/pre-commit"), "#!/bin/sh\ntrue\n", 0o755);
  put(here(".claude/settings.json"), hook('"$CLAUDE_PROJECT_DIR"/scripts/fmt.sh'));
  put(here(".mcp.json"), { mcpServers: { a: { command: "node", args: ["./tools/mcp.mjs"], enabled: false } } });
  put(join(live.home, ".claude/settings.json"), hook("sh ./scripts/mine.sh"));
  const asked: string[] = [];
  const no = choose("reject_once");
  const { client } = await live.connect(
    (question, signal) => {
      asked.push(question.permission.reason);
      return no(question, signal);
    },
    permissionMode === "auto-in-sandbox" ? { HARNESS_SANDBOX: "auto" } : {},
  );
  const { hash } = await client.call("trust/get", { cwd: live.cwd });
  await client.call("trust/set", { cwd: live.cwd, hash, decision: "trust" });
  const opened = await client.call("session/new", { cwd: live.cwd, config: { permissionMode } });
  await client.call("session/prompt", { sessionId: opened.session.sessionId, promptId: "1", prompt: say("go") });
  await live.idle();
  return { asked, here, client };
}
const write = (path: string) => turns.call("write", { file_path: path, content: "bad" });
const runs = (path: string) => `writes ${path}, which a hook, a server or your shell runs`;

describe("a file of the workspace that is run by itself", () => {
  it.each(["accept-edits", "allow-all"] as const)(
    "is asked about in mode %s, and an ordinary one is not",
    async (mode) => {
      const names = ["scripts/fmt.sh", "scripts/mine.sh", "tools/mcp.mjs", "tools/hooks/pre-push"];
      const known = names.slice(0, 3).map((name) => turns.call("read", { file_path: name }));
      const script = [...known, ...names.map(write), write("scripts/other.sh"), turns.say("end")];
      const { asked, here } = await session(script, mode);
      expect(asked).toEqual(names.map(runs));
      expect(existsSync(here("scripts/other.sh"))).toBe(true);
    },
    60_000,
  );

  it("is asked about where a command writes it", async () => {
    const command = turns.call("bash", { command: "echo bad > scripts/fmt.sh; mv tools old" });
    const { asked } = await session([command, turns.say("end")], "allow-all");
    expect(asked).toEqual([`runs a command that ${runs("scripts/fmt.sh")}`]);
  }, 60_000);

  it("ends the trust of its folder when it changes", async () => {
    const { here, client } = await session([turns.say("end")], "accept-edits");
    expect(await client.call("trust/get", { cwd: live.cwd })).toMatchObject({ state: "trusted" });
    put(here("scripts/fmt.sh"), "#!/bin/sh\necho pulled\n");
    expect(await client.call("trust/get", { cwd: live.cwd })).toMatchObject({ state: "changed" });
  }, 60_000);

  const hasSandbox = spawnSync("sh", ["-c", "bwrap --unshare-user --ro-bind / / true"]).status === 0;
  it.runIf(hasSandbox)(
    "cannot be changed in the sandbox",
    async () => {
      const script = [turns.call("bash", { command: "sh ./attack" }), turns.say("end")];
      const { here } = await session(script, "auto-in-sandbox");
      for (const name of ["scripts/fmt.sh", "scripts/mine.sh", "tools/hooks/pre-commit"])
        expect(readFileSync(here(name), "utf8"), name).toContain("true");
      expect(readFileSync(here("tools/mcp.mjs"), "utf8")).toBe("");
      expect(existsSync(here("tools/hooks/new"))).toBe(false);
      expect(existsSync(here("fine"))).toBe(true);
    },
    60_000,
  );
});
