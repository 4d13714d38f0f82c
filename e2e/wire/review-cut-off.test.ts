// harness is killed between "taken", which is on disk, and "written": a real server process and a fault in its renames.
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { say } from "../support/live-server.ts";
import { ReviewedSession, TAKE } from "../support/reviewed-session.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;

/** Kills the process when this many files were put in place. */
const FAULT = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const rename = fs.renameSync;
let left = Number(process.env.KILL_AFTER);
const die = () => process.kill(process.pid, "SIGKILL");
fs.renameSync = (from, to) => {
  const isOurs = /\\.harness-\\w+\\.tmp$/.test(String(from)) && /\\/(?:a|b|c|new)\\.txt$/.test(String(to));
  if (isOurs && left === 0) die();
  rename(from, to);
  if (isOurs && --left === 0) die();
};
syncBuiltinESMExports();
`;
const names = ["a.txt", "b.txt", "c.txt"];
const before = Object.fromEntries(names.map((name) => [name, `one\ntwo ${name}\n`]));
const script = [
  ...names.flatMap((file_path) => [
    turns.call("read", { file_path }),
    turns.call("edit", { file_path, old_string: "two", new_string: "TWO" }),
  ]),
  turns.call("write", { file_path: "deep/new.txt", content: "new\n" }),
  turns.say("ok"),
  turns.say("again"),
];
const after = Object.fromEntries(names.map((name) => [name, `one\nTWO ${name}\n`]));

let session: ReviewedSession;
afterEach(() => session.close());

/** A process that is killed when it has put this many of four files in place. */
async function killedAfter(renames: number): Promise<void> {
  session = await ReviewedSession.start({
    scenario: { turns: script },
    answer: () => TAKE,
    files: before,
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(FAULT)}`, KILL_AFTER: String(renames) },
  });
  const { client, sessionId, server } = session;
  await client.call("session/prompt", { sessionId, promptId: "first", prompt: say("go") });
  await server.exited;
}

const inFiles = () => Object.fromEntries(names.map((name) => [name, session.read(name)]));

describe("a review that was taken when harness was killed", () => {
  it.each([0, 1, 2, 4])(
    "is written in whole when the session is opened again, %i of 4 files in place",
    async (renames) => {
      await killedAfter(renames);
      expect(names.filter((name) => session.read(name) === after[name])).toHaveLength(Math.min(renames, 3));
      await session.reopen(() => TAKE);
      expect([inFiles(), session.read("deep/new.txt")]).toEqual([after, "new\n"]);
      expect(await session.pending()).toBeUndefined();
      if (!hasGit) return;
      await session.live.until(({ update }) => update.sessionUpdate === "turn_changes");
      expect(await session.command("undo")).toContain("Reverted the changes of one turn");
      expect([inFiles(), existsSync(session.path("deep/new.txt"))]).toEqual([before, false]);
    },
  );

  it("leaves files that others have changed since to the person, and says so", async () => {
    await killedAfter(1);
    writeFileSync(session.path("b.txt"), "mine\n");
    await session.reopen(() => TAKE);
    expect(inFiles()).toEqual({ ...before, "a.txt": after["a.txt"], "b.txt": "mine\n" });
    const { events } = await session.client.call("session/history", { sessionId: session.sessionId, limit: 1000 });
    expect(events.flatMap(({ update }) => (update.sessionUpdate === "notice" ? [update] : []))).toContainEqual({
      sessionUpdate: "notice",
      severity: "warning",
      title: `Not everything that you had taken was written: ${session.path("b.txt")} could not be written: it has changed in the meantime.`,
      description: "/pending opens what still waits.",
    });
    expect(await session.pending()).toEqual({ changes: 3, files: 3 });
    await session.command("pending");
    expect(inFiles()).toEqual({ ...after, "b.txt": "mine\n" });
  });
});
