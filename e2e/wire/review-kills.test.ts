// harness is killed at any moment after a review of many files was answered: a real server process and a fault in its
// file system.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { Permission, PermissionOutcome } from "@harness/protocol";
import { sample, turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { say } from "../support/live-server.ts";
import { ReviewedSession, TAKE } from "../support/reviewed-session.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;

/** Kills the process at this write after the answer is in the log; `writes`: of texts, lines of the log and files. */
const FAULT = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
let left = Number(process.env.KILL_AT);
let isAnswered = false;
for (const name of ["writeSync", "writeFileSync", "renameSync"]) {
  const real = fs[name];
  fs[name] = (...args) => {
    if (isAnswered && left-- <= 0) process.kill(process.pid, "SIGKILL");
    const done = real(...args);
    isAnswered ||= name === "writeSync" && String(args[1]).includes('"permission_resolved"');
    return done;
  };
}
syncBuiltinESMExports();
`;

const FILES = 150;
/** Texts, lines and files that are written from the answer to the end. */
const WRITES = 2 * FILES + 8;
const KILLS = 60;
const names = Array.from({ length: FILES }, (_, n) => `src/f${n}.txt`);
const [REJECTED = "", EDITED = ""] = names;
const points = Array.from({ length: KILLS }, (_, n) => Math.round((n * WRITES) / (KILLS - 1)));

let session: ReviewedSession;
afterEach(() => session.close());

/** Accepts all, except for one file that is rejected with feedback and one that is edited. */
function answered({ review = [] }: Permission): PermissionOutcome {
  const id = (name: string) => review.find(({ path }) => path.endsWith(name))?.hunkId ?? "";
  return {
    outcome: "selected",
    optionId: "take",
    hunks: [
      { hunkId: id(REJECTED), take: false, feedback: "not this one" },
      { hunkId: id(EDITED), take: true, text: "edited by hand\n" },
    ],
  };
}

const write = (name: string): [string, Record<string, unknown>] => ["write", { file_path: name, content: `${name}\n` }];
/** Replies that write these files, a few of them at once. */
const replies = (written: readonly string[]) =>
  Array.from({ length: Math.ceil(written.length / 50) }, (_, n) =>
    turns.calls(written.slice(50 * n, 50 * n + 50).map(write)),
  );
const wanted = (name: string) => (name === REJECTED ? undefined : name === EDITED ? "edited by hand\n" : `${name}\n`);
const inFile = (name: string) => (existsSync(session.path(name)) ? session.read(name) : undefined);

describe("an answer to a review that was given", () => {
  it.each(sample(points, 2))("is carried out in whole after a kill at write %i", async (point) => {
    session = await ReviewedSession.start({
      scenario: {
        // Side requests, such as for a summary, do not use up its replies.
        lanes: [
          { match: "go", perConversation: true, turns: [...replies(names), turns.say("ok"), turns.say("again")] },
        ],
        turns: [turns.say("A summary.", { repeat: "always" })],
      },
      answer: answered,
      env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(FAULT)}`, KILL_AT: String(point) },
    });
    const { client, sessionId, server } = session;
    await client.call("session/prompt", { sessionId, promptId: "first", prompt: say("go") });
    const isOver = await Promise.race([server.exited.then(() => false), session.live.idle().then(() => true)]);
    if (isOver) await session.kill();
    await session.reopen(() => TAKE);
    expect(Object.fromEntries(names.map((name) => [name, inFile(name)]))).toEqual(
      Object.fromEntries(names.map((name) => [name, wanted(name)])),
    );
    expect(await session.pending()).toBeUndefined();
    await session.prompt("and now?");
    expect(session.asked).toHaveLength(1);
    if (!hasGit) return;
    await session.live.until(({ update }) => update.sessionUpdate === "turn_changes");
    expect(await session.command("undo")).toContain("Reverted the changes of one turn");
    expect(names.filter((name) => inFile(name) !== undefined)).toEqual([]);
  });

  it("brings the model the words of what was rejected, and what was edited", async () => {
    session = await ReviewedSession.start({
      scenario: { turns: [...replies(names.slice(0, 3)), turns.say("ok"), turns.say("again")] },
      answer: answered,
      env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(FAULT)}`, KILL_AT: "1" },
    });
    const { client, sessionId, server } = session;
    await client.call("session/prompt", { sessionId, promptId: "first", prompt: say("go") });
    await server.exited;
    await session.reopen(() => TAKE);
    await session.prompt("and now?");
    expect(session.lastSent).toContain("2 of 3 changes are in the files now");
    expect(session.lastSent).toContain("because: not this one");
    expect(session.lastSent).toContain("edited by hand");
  });
});
