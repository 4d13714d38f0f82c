// Input that a model sends to a running process is judged in the folder of that process, by its effect there.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HarnessClient } from "@harness/client";
import { turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";

const hasSandbox = spawnSync("sh", ["-c", "bwrap --unshare-user --ro-bind / / true"]).status === 0;

describe.runIf(process.platform === "linux")("input of a process", () => {
  let live: LiveServer;
  let client: HarnessClient;
  let sessionId: string;
  let prompts = 0;

  afterEach(() => live.close());

  const asked: string[] = [];
  async function begin(
    deny: string[],
    script: Parameters<typeof LiveServer.start>[0]["turns"] & object[],
    { inSandbox = false } = {},
  ) {
    const permissionMode = inSandbox ? ("auto-in-sandbox" as const) : ("allow-all" as const);
    asked.length = 0;
    live = await LiveServer.start({ turns: script });
    mkdirSync(join(live.cwd, "src"), { recursive: true });
    writeFileSync(join(live.cwd, "src/a.txt"), "a");
    const yes = choose("allow_once");
    const connected = await live.connect(
      (question, signal) => {
        asked.push(question.permission.reason);
        return yes(question, signal);
      },
      inSandbox ? { HARNESS_SANDBOX: "auto" } : {},
    );
    client = connected.client;
    const given = { cwd: live.cwd, config: { permissionMode }, rules: { allow: [], deny } };
    ({ sessionId } = (await client.call("session/new", given)).session);
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
  const background = (command: string) => turns.call("bash", { command, background: true, timeout_ms: 300 });
  const send = (input: string) => turns.call("process", { action: "send", id: "p1", input });

  it("is denied like the command line that it is, though the shell stands behind a `cd`", async () => {
    await begin(
      ["bash(git push)"],
      [
        background("cd src && bash"),
        send("touch made; git push --force origin main\n"),
        send("git pu"),
        turns.say("No."),
      ],
    );
    await prompt("push it");
    expect(outcomes()[1]).toContain("bash(git push)");
    expect(existsSync(join(live.cwd, "src/made"))).toBe(false);
    expect(asked).toEqual([]);
  }, 60_000);

  it("is denied where two pieces make the command", async () => {
    await begin(["bash(git push)"], [background("bash"), send("git pu"), send("sh\n"), turns.say("No.")]);
    await prompt("push it");
    expect(outcomes()[2]).toContain("bash(git push)");
  }, 60_000);

  it.runIf(hasSandbox)(
    "is asked about each time for a shell outside of the sandbox, and not for one inside",
    async () => {
      const outside = turns.call("bash", { command: "bash", background: true, timeout_ms: 300, outside_sandbox: true });
      const inside = turns.call("process", { action: "send", id: "p2", input: "touch inside\n" });
      await begin([], [outside, send("touch made\n"), background("bash"), inside, turns.say("Done.")], {
        inSandbox: true,
      });
      await prompt("make it");
      expect(asked).toEqual(["runs outside the sandbox", "runs outside the sandbox"]);
      expect(outcomes()).toHaveLength(4);
    },
    60_000,
  );
});
