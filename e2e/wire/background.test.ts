// Background processes, as other programs see them: a real server process and a real shell.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HarnessClient } from "@harness/client";
import { isAlive, turns } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";

const SERVER = `require("node:http").createServer((_, answer) => answer.end("hello\\n")).listen(0, "127.0.0.1", function () {
  console.log("Local: http://127.0.0.1:" + this.address().port);
});
`;
const WATCHER = `const { readFileSync, watch } = require("node:fs");
watch("src.txt", () => console.log("rebuilt: " + readFileSync("src.txt", "utf8")));
console.log("watching");
process.stdin.resume().on("end", () => process.exit(3));
`;

describe.runIf(process.platform === "linux")("processes that stay", () => {
  let live: LiveServer;
  let client: HarnessClient;
  let sessionId: string;
  let prompts: number;
  const path = (name: string) => join(live.cwd, name);

  beforeEach(() => {
    prompts = 0;
  });
  afterEach(() => live.close());

  async function begin(...script: Parameters<typeof LiveServer.start>[0]["turns"] & object[]) {
    live = await LiveServer.start({ turns: script });
    mkdirSync(live.cwd);
    writeFileSync(path("server.cjs"), SERVER);
    writeFileSync(path("watcher.cjs"), WATCHER);
    writeFileSync(path("src.txt"), "one");
    writeFileSync(path("package.json"), JSON.stringify({ scripts: { test: "grep -q two src.txt && echo passed" } }));
    const connected = await live.connect(choose("allow_once"));
    client = connected.client;
    ({ sessionId } = (await client.call("session/new", { cwd: live.cwd })).session);
    return connected.process;
  }

  async function prompt(text: string) {
    prompts += 1;
    const after = live.lastSeq;
    await client.call("session/prompt", { sessionId, promptId: `p${prompts}`, prompt: say(text) });
    await live.idle(after);
  }

  const outcomes = () =>
    live.updates.flatMap(({ update }) =>
      update.sessionUpdate === "tool_call_update" && update.outcome ? [update.outcome.text] : [],
    );
  const processes = async () => (await client.call("process/list", { sessionId })).processes;
  /** Without a pattern it prints nothing at first, and nothing is awaited. */
  const background = (command: string, pattern?: string) =>
    turns.call("bash", {
      command,
      background: true,
      ...(pattern ? { pattern, timeout_ms: 20_000 } : { timeout_ms: 1 }),
    });

  it("are a dev server and a watcher, with npm test meanwhile, in one session", async () => {
    await begin(
      background("node server.cjs", "Local:"),
      turns.call("Bash", { command: "node watcher.cjs", run_in_background: true }),
      turns.say("Both run."),
      turns.call("read", { file_path: "src.txt" }),
      turns.call("edit", { file_path: "src.txt", old_string: "one", new_string: "two" }),
      turns.call("process", { action: "output", id: "p2", pattern: "rebuilt", wait_ms: 20_000 }),
      turns.call("bash", { command: "npm test --silent" }),
      turns.call("process", { action: "list" }),
      turns.call("KillShell", { shell_id: "p2" }),
      turns.say("All is well."),
    );
    await prompt("start them");
    const [server, watcher] = await processes();
    expect(server).toMatchObject({ processId: "p1", state: "running", command: "node server.cjs", kept: false });
    const [port = 0] = server?.ports ?? [];
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("hello\n");
    expect(outcomes()[0]).toContain(`It listens on 1 port: ${port}.`);
    expect(watcher).toMatchObject({ processId: "p2", lastLine: "watching" });
    await prompt("change the source and test it");
    const [, , , , rebuilt, tested, list, killed] = outcomes();
    expect(rebuilt).toMatch(/^(rebuilt: two\n)+\[still running\]$/);
    expect(tested).toBe("passed");
    expect(list).toContain(`p1: running, port ${port}: node server.cjs`);
    expect(killed).toMatch(/\n\[stopped, with everything it had started\]$/);
    expect((await processes()).map(({ processId, state }) => [processId, state])).toEqual([
      ["p1", "running"],
      ["p2", "stopped"],
    ]);
    await client.call("session/close", { sessionId });
    expect(isAlive(server?.pid ?? 0)).toBe(false);
    const ended = await live.until(
      ({ update }) => update.sessionUpdate === "process_update" && update.stoppedBy === "session",
    );
    expect(ended.update).toMatchObject({ processId: "p1", state: "stopped" });
  }, 60_000);

  it("are read, sent input and stopped by clients, and their end reaches the model", async () => {
    await begin(
      background("echo up; while read line; do echo got $line; done; sleep 300", "up"),
      turns.say("Up."),
      turns.say("Gone."),
    );
    await prompt("start it");
    await client.call("process/send", { sessionId, processId: "p1", input: "a\n" });
    const untilText = async (offset: number, wanted: string): Promise<number> => {
      const { text, nextOffset } = await client.call("process/read", { sessionId, processId: "p1", offset });
      return text.includes(wanted) ? nextOffset : untilText(offset, wanted);
    };
    expect(await untilText(0, "got a\n")).toBe("up\ngot a\n".length);
    const stopped = await client.call("process/stop", { sessionId, processId: "p1" });
    expect(stopped.process).toMatchObject({ state: "stopped", ports: [] });
    await prompt("and now?");
    const last = JSON.stringify(live.model.requests.at(-1)?.body);
    expect(last).toContain("The background process p1");
    expect(last).toContain("was stopped by the person");
    await expect(client.call("process/stop", { sessionId, processId: "p9" })).rejects.toThrow("There is no process p9");
  }, 30_000);

  it("go on after the session when a person wants it, and are there again when it is resumed", async () => {
    const server = await begin(background("exec sleep 300"), turns.say("Up."));
    await prompt("start it");
    const { process: kept } = await client.call("process/keep", { sessionId, processId: "p1", keep: true });
    expect(kept).toMatchObject({ kept: true, state: "running" });
    await client.close();
    await server.exited;
    expect(isAlive(kept.pid ?? 0)).toBe(true);
    ({ client } = await live.connect(choose("allow_once")));
    await client.call("session/resume", { sessionId });
    expect(await processes()).toMatchObject([{ processId: "p1", state: "running", kept: true, pid: kept.pid }]);
    await client.call("process/stop", { sessionId, processId: "p1" });
    expect(isAlive(kept.pid ?? 0)).toBe(false);
  }, 30_000);

  it("end with a session that is deleted, even if a person kept them: nothing could list or stop them", async () => {
    await begin(background("exec sleep 300"), turns.say("Up."));
    await prompt("start it");
    const { process: kept } = await client.call("process/keep", { sessionId, processId: "p1", keep: true });
    await client.call("session/delete", { sessionId });
    expect(isAlive(kept.pid ?? 0)).toBe(false);
  }, 30_000);

  it("are ended by the next start when harness was killed, except for those that a person keeps", async () => {
    const server = await begin(background("exec sleep 300"), background("exec sleep 300"), turns.say("Up."));
    await prompt("start them");
    await client.call("process/keep", { sessionId, processId: "p2", keep: true });
    const [kept, other] = (await processes()).sort((a, b) => Number(b.kept) - Number(a.kept));
    process.kill(server.pid ?? 0, "SIGKILL");
    await server.exited;
    // Any harness that starts in the meantime, such as one of a different test, may already have ended `other`.
    expect(isAlive(kept?.pid ?? 0)).toBe(true);
    ({ client } = await live.connect(choose("allow_once")));
    while (isAlive(other?.pid ?? 0)) await new Promise((resolve) => setImmediate(resolve));
    expect(isAlive(kept?.pid ?? 0)).toBe(true);
    await client.call("session/resume", { sessionId });
    const states = await live.until(
      ({ update }) => update.sessionUpdate === "process_update" && update.state === "interrupted",
    );
    expect(states.update).toMatchObject({ processId: "p1" });
    await client.call("process/stop", { sessionId, processId: "p2" });
    expect(existsSync(`${kept?.outputPath}.kept`)).toBe(false);
  }, 30_000);
});
