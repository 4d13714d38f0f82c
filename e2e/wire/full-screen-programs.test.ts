// Programs that would wait for keys, over a real server process.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

it.each(["default", "deny", "allow-all"] as const)(
  "a full-screen program is answered at once and runs nothing of its line, without a question: %s",
  async (permissionMode) => {
    const command = "touch made && vi made";
    const calls = [turns.call("bash", { command }), turns.call("bash", { command: "htop", background: true })];
    live = await LiveServer.start({ turns: [...calls, turns.say("ok")] });
    mkdirSync(live.cwd);
    let asked = 0;
    const { client } = await live.connect(async () => {
      asked += 1;
      return { outcome: "cancelled" };
    });
    const { sessionId } = (await client.call("session/new", { cwd: live.cwd, config: { permissionMode } })).session;
    await client.call("session/prompt", { sessionId, promptId: "p", prompt: say("go") });
    await live.idle();
    const outcomes = live.updates.flatMap(({ update }) =>
      update.sessionUpdate === "tool_call_update" && update.outcome ? [update.outcome.text] : [],
    );
    expect(outcomes[0]).toContain("`vi` needs a terminal, and commands have none, so nothing of this was run.");
    expect(outcomes[1]).toContain("`htop` needs a terminal");
    expect([asked, existsSync(join(live.cwd, "made"))]).toEqual([0, false]);
  },
);
