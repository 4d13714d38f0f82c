// Extensions that the user adds while a session is open, over the wire of a real server process.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

it("changes in the sources are reported in one line before the next request, once", async () => {
  live = await LiveServer.start({ turns: ["one", "two", "three", "four"].map((text) => turns.say(text)) });
  const file = (path: string, mode = 0o644) => {
    const whole = join(live.root, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, "---\ndescription: D.\n---\nDo it.\n", { mode });
    return whole;
  };
  mkdirSync(join(live.cwd, ".git"), { recursive: true });
  const { client } = await live.connect();
  const { session } = await client.call("session/new", { cwd: live.cwd });
  const { sessionId } = session;
  const notices = () =>
    live.updates.flatMap(({ update }) =>
      update.sessionUpdate === "notice" && update.title.startsWith("Extensions") ? [update.title] : [],
    );
  const turn = async (promptId: string) => {
    const after = live.lastSeq;
    await client.call("session/prompt", { sessionId, promptId, prompt: say("go on") });
    await live.idle(after);
  };
  await turn("1");
  expect(notices()).toEqual([]);
  const agent = file("home/.harness/agents/reviewer.md");
  file("project/.harness/tools/count", 0o755);
  await turn("2");
  expect(notices()).toEqual(["Extensions: new: agent reviewer; 1 file needs your trust (/trust)."]);
  rmSync(agent);
  await turn("3");
  await turn("4");
  expect(notices().slice(1)).toEqual(["Extensions: removed: agent reviewer."]);
});
