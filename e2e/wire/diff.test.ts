// The agent's changes, as other programs request them: a real server process, real git, a real shell.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;
let live: LiveServer;
afterEach(() => live.close());

it.runIf(hasGit)(
  "what the agent changed is given since the session began, or since a message, without what was undone",
  async () => {
    live = await LiveServer.start({
      turns: [
        turns.call("bash", { command: "sed -i s/two/2/ notes.txt && echo new > made.txt" }),
        turns.say("Done."),
        turns.call("bash", { command: "sed -i s/three/3/ notes.txt" }),
        turns.say("Done."),
      ],
    });
    mkdirSync(live.cwd);
    writeFileSync(join(live.cwd, "notes.txt"), "one\ntwo\nthree\n");
    const { client } = await live.connect(choose("allow_once"));
    const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
    const none = await client.call("session/diff", { sessionId });
    expect(none).toEqual({ files: [], changedFiles: 0, added: 0, removed: 0 });
    for (const promptId of ["p1", "p2"]) {
      const after = live.lastSeq;
      await client.call("session/prompt", { sessionId, promptId, prompt: say(promptId) });
      await live.idle(after);
      writeFileSync(join(live.cwd, "mine.txt"), `of the person, after ${promptId}\n`);
    }
    const all = await client.call("session/diff", { sessionId });
    expect(all).toEqual({
      files: [
        { path: "made.txt", change: "create", added: 1, removed: 0, hunks: "@@ -0,0 +1,1 @@\n+new" },
        {
          path: "notes.txt",
          change: "modify",
          added: 2,
          removed: 2,
          hunks: "@@ -1,3 +1,3 @@\n one\n-two\n-three\n+2\n+3",
        },
      ],
      changedFiles: 2,
      added: 3,
      removed: 2,
    });
    expect(await client.call("session/diff", { sessionId, limit: 1 })).toMatchObject({
      nextOffset: 1,
      changedFiles: 2,
    });
    const messages = live.updates.flatMap(({ update }) =>
      update.sessionUpdate === "user_message" ? [update.messageId] : [],
    );
    const since = await client.call("session/diff", { sessionId, since: messages[1] ?? "" });
    expect(since.files).toMatchObject([{ path: "notes.txt", hunks: "@@ -1,3 +1,3 @@\n one\n 2\n-three\n+3" }]);
    await expect(client.call("session/diff", { sessionId, since: "m_none" })).rejects.toThrow(
      "There is no message m_none",
    );
    const { text } = await client.call("command/run", { sessionId, name: "diff", args: "2" });
    expect(text).toBe(
      "1 file changed by the agent since your message 2, +1 −1\n\n--- a/notes.txt\n+++ b/notes.txt\n@@ -1,3 +1,3 @@\n one\n 2\n-three\n+3",
    );
    await client.call("session/undo", { sessionId });
    expect((await client.call("session/diff", { sessionId })).files).toMatchObject([
      { path: "made.txt" },
      { path: "notes.txt", hunks: "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three" },
    ]);
  },
  60_000,
);
