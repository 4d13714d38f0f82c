// A missing sandbox as the user and a model see it, over the wire of a real server process.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Permission } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

const isLinux = process.platform === "linux";
const programOf = (name: string) => execFileSync("sh", ["-c", 'command -v "$0"', name], { encoding: "utf8" }).trim();

/** A search path with everything that a command needs, but without bubblewrap. */
function pathWithout(): string {
  const folder = join(live.root, "programs");
  mkdirSync(folder);
  for (const name of ["sh", "bash", "touch", "echo"]) symlinkSync(programOf(name), join(folder, name));
  return folder;
}

async function session(wanted: "on" | "auto") {
  const command = turns.call("bash", { command: "touch ran && echo done" });
  live = await LiveServer.start({ turns: [command, turns.say("end")] });
  mkdirSync(live.cwd);
  const asked: Permission[] = [];
  const yes = choose("allow_once");
  const env = { HARNESS_SANDBOX: wanted, PATH: pathWithout() };
  const { client } = await live.connect((question, signal) => {
    asked.push(question.permission);
    return yes(question, signal);
  }, env);
  const { session } = await client.call("session/new", { cwd: live.cwd });
  await client.call("session/prompt", { sessionId: session.sessionId, promptId: "1", prompt: say("go") });
  await live.idle();
  const { update } = await live.until(
    ({ update: each }) => each.sessionUpdate === "tool_call_update" && each.outcome !== undefined,
  );
  const outcome = update.sessionUpdate === "tool_call_update" ? update.outcome : undefined;
  return { asked, outcome, ran: existsSync(join(live.cwd, "ran")) };
}

describe.runIf(isLinux)("row 64: without bubblewrap", () => {
  it("lets nothing run when a sandbox is required, and informs the model of the reason", async () => {
    const { asked, outcome, ran } = await session("on");
    expect([ran, asked]).toEqual([false, []]);
    expect(outcome).toMatchObject({ status: "denied", text: expect.stringContaining("bubblewrap is not installed") });
  });

  it("notes a missing preferred sandbox in the permission request and in the result", async () => {
    const { asked, outcome, ran } = await session("auto");
    expect(ran).toBe(true);
    expect(asked[0]?.notes).toContainEqual({
      kind: "sandbox",
      text: expect.stringMatching(/^It runs without a sandbox: bubblewrap is not installed/),
    });
    expect(outcome?.text).toMatch(/\[unsandboxed: bubblewrap is not installed/);
  });
});
