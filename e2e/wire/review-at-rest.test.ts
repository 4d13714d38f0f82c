// Edits that wait for a review while no turn runs, how they are undone, and who can be asked: a real server process.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { PermissionOutcome } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { type PersonAnswer, ReviewedSession, TAKE } from "../support/reviewed-session.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;
const LATER: PermissionOutcome = { outcome: "cancelled" };
const files = { "a.txt": "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n", "src/b.txt": "b\n" };
const read = (file_path: string) => turns.call("read", { file_path });
const edit = (file_path: string, old_string: string, new_string: string) =>
  turns.call("edit", { file_path, old_string, new_string });
/** Three changes in two files, and a new one. */
const edits = [
  read("a.txt"),
  read("src/b.txt"),
  edit("a.txt", "two", "TWO"),
  edit("a.txt", "nine", "NINE"),
  edit("src/b.txt", "b", "B"),
  turns.call("write", { file_path: "src/new.txt", content: "new\n" }),
];
const edited = { "a.txt": files["a.txt"].replace("two", "TWO").replace("nine", "NINE"), "src/b.txt": "B\n" };

let session: ReviewedSession;
afterEach(() => session.close());

const inFiles = () => ({ "a.txt": session.read("a.txt"), "src/b.txt": session.read("src/b.txt") });
const stopReason = ({ update }: Awaited<ReturnType<ReviewedSession["prompt"]>>) =>
  update.sessionUpdate === "state_update" ? update.stopReason : undefined;

/** Gives these answers, one after another, then repeats the last one. */
function inTurn(...answers: PersonAnswer[]): PersonAnswer {
  return (permission) => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return answer ? answer(permission) : LATER;
  };
}

const start = (answer: PersonAnswer | undefined, script: typeof edits) =>
  ReviewedSession.start({ scenario: { turns: script }, files, ...(answer ? { answer } : {}) });

describe("edits that a client leaves for later", () => {
  it("end the turn as usual, are counted, and are reviewed with /pending", async () => {
    session = await start(
      inTurn(
        () => LATER,
        () => TAKE,
      ),
      [...edits, turns.say("ok")],
    );
    expect(stopReason(await session.prompt("go"))).toBe("end_turn");
    expect(inFiles()).toEqual(files);
    expect(await session.pending()).toEqual({ changes: 4, files: 3 });
    expect(await session.command("pending")).toBe("Wrote all 4 changes. /undo reverts them.");
    expect(inFiles()).toEqual(edited);
    expect(session.asked.map(({ tool, review }) => [tool, review?.length])).toEqual([
      ["review", 4],
      ["review", 4],
    ]);
    expect(await session.pending()).toBeUndefined();
    expect(await session.command("pending")).toBe("No edits wait for your review.");
  });

  it("stop the turn where a command needed the files, and nothing is left open", async () => {
    const touch = turns.call("bash", { command: "touch there" });
    session = await start(() => LATER, [...edits, touch, turns.say("never")]);
    expect(stopReason(await session.prompt("go"))).toBe("cancelled");
    expect([existsSync(session.path("there")), inFiles()]).toEqual([false, files]);
    const { client, sessionId } = session;
    expect((await client.call("permission/list", { sessionId })).pending).toEqual([]);
    expect(session.asked).toHaveLength(1);
    expect(await session.pending()).toEqual({ changes: 4, files: 3 });
  });

  it("are left so by session/cancel, too, while no turn runs", async () => {
    const opened = Promise.withResolvers<void>();
    session = await start(
      inTurn(
        () => LATER,
        () => {
          opened.resolve();
          return new Promise(() => undefined);
        },
      ),
      [...edits, turns.say("ok")],
    );
    await session.prompt("go");
    const text = session.command("pending");
    await opened.promise;
    const { client, sessionId } = session;
    expect(await client.call("session/cancel", { sessionId })).toMatchObject({ cancelled: true });
    expect(await text).toBe("The edits still wait for review. They are kept with the session: /pending opens them.");
    expect((await client.call("permission/list", { sessionId })).pending).toEqual([]);
    expect(inFiles()).toEqual(files);
  });

  it("go back to the agent in a turn of its own where they are rejected then", async () => {
    session = await start(
      inTurn(
        () => LATER,
        () => ({ outcome: "selected", optionId: "reject", feedback: "too loud" }),
      ),
      [...edits, turns.say("ok"), turns.say("I see.")],
    );
    const { seq = 0 } = await session.prompt("go");
    expect(await session.command("pending")).toBe("No change was taken; no file was written.");
    await session.live.idle(seq);
    expect(inFiles()).toEqual(files);
    expect(session.lastSent).toContain("Rejected, a.txt at line 2, because: too loud");
    expect(session.lastSent).toContain("the new file src/new.txt");
  });
});

describe.skipIf(!hasGit)("taken edits of several files", () => {
  it("are undone and redone in one step, after a turn and while none runs", async () => {
    session = await start(
      inTurn(
        () => TAKE,
        () => LATER,
        () => TAKE,
      ),
      [...edits, turns.say("ok"), ...edits, turns.say("again")],
    );
    await session.prompt("go");
    expect(inFiles()).toEqual(edited);
    expect(await session.command("undo")).toContain("Reverted the changes of one turn");
    expect([inFiles(), existsSync(session.path("src/new.txt"))]).toEqual([files, false]);
    await session.prompt("once more");
    expect(inFiles()).toEqual(files);
    await session.command("pending");
    expect([inFiles(), session.read("src/new.txt")]).toEqual([edited, "new\n"]);
    expect(await session.command("undo")).toContain("Reverted the changes of one turn");
    expect([inFiles(), existsSync(session.path("src/new.txt"))]).toEqual([files, false]);
    await session.command("redo");
    expect([inFiles(), session.read("src/new.txt")]).toEqual([edited, "new\n"]);
  });
});

describe("without anybody to ask", () => {
  it("edits are kept, what looks at files says that it does not see them, commands do not run", async () => {
    session = await start(undefined, [
      ...edits,
      turns.call("grep", { pattern: "TWO|two" }),
      turns.call("bash", { command: "touch there" }),
      turns.say("ok"),
    ]);
    expect(stopReason(await session.prompt("go"))).toBe("end_turn");
    expect([inFiles(), existsSync(session.path("there"))]).toEqual([files, false]);
    expect(session.lastSent).toContain("this does not see them: a.txt, src/b.txt, src/new.txt.");
    expect(session.lastSent).toContain("Nobody is connected who could review the edits.");
    const notices = session.live.updates.flatMap(({ update }) => (update.sessionUpdate === "notice" ? [update] : []));
    expect(notices).toContainEqual({
      sessionUpdate: "notice",
      severity: "warning",
      title: "Nobody is here to review the edits: 4 changes in 3 files wait, and no file was written.",
      description: `Open them with \`harness -r ${session.sessionId}\` and /pending.`,
    });
    expect(await session.command("pending")).toContain("4 changes in 3 files wait for your review.\na.txt:2\na.txt:9");
    await session.client.call("session/close", { sessionId: session.sessionId });
    await session.reopen(() => TAKE);
    expect(await session.command("pending")).toBe("Wrote all 4 changes. /undo reverts them.");
    expect(inFiles()).toEqual(edited);
  });
});
