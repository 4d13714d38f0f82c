// Edits of subagents wait for the same review: in the foreground, in the background, and in their own worktree.
import { execFileSync, spawnSync } from "node:child_process";
import { type TurnInput, turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { type PersonAnswer, ReviewedSession, TAKE } from "../support/reviewed-session.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;
const files = { "a.txt": "one\ntwo\nthree\n", "b.txt": "b\n" };
const edit = (file_path: string, old_string: string, new_string: string) => [
  turns.call("read", { file_path }),
  turns.call("edit", { file_path, old_string, new_string }),
];

let session: ReviewedSession;
afterEach(() => session.close());

/** `child`: the turns of the subagent with the task "change a.txt". */
function start(child: TurnInput[], main: TurnInput[], answer: PersonAnswer) {
  const lanes = [{ match: "change a.txt", perConversation: true, turns: child }];
  return ReviewedSession.start({ scenario: { lanes, turns: main }, files, answer });
}

const inFiles = () => Object.fromEntries(Object.keys(files).map((name) => [name, session.read(name)]));
const outcomes = (agentId: string) =>
  session.live.updates.flatMap(({ agentId: id, update }) =>
    id === agentId && update.sessionUpdate === "tool_call_update" && update.outcome ? [update.outcome] : [],
  );

describe("edits of subagents", () => {
  it("wait with those of the main agent until its turn ends, and say who made them", async () => {
    session = await start(
      [...edit("a.txt", "two", "TWO"), turns.say("Done.")],
      [
        ...edit("b.txt", "b", "B"),
        turns.call("agent", { task: "change a.txt" }),
        turns.call("read", { file_path: "a.txt" }),
        turns.call("edit", { file_path: "a.txt", old_string: "three", new_string: "THREE" }),
        turns.say("ok"),
        turns.say("I see."),
      ],
      ({ review = [] }) => ({
        outcome: "selected",
        optionId: "take",
        hunks: review.filter(({ path }) => path.endsWith("a.txt")).map(({ hunkId }) => ({ hunkId, take: false })),
      }),
    );
    await session.prompt("go");
    expect(session.asked).toHaveLength(1);
    expect(session.asked[0]).toMatchObject({
      agentId: "main",
      review: [
        { path: session.path("b.txt"), agents: ["main"] },
        { path: session.path("a.txt"), agents: ["agent-1", "main"] },
      ],
    });
    expect(inFiles()).toEqual({ ...files, "b.txt": "B\n" });
    expect(session.lastSent).toContain("Rejected, a.txt at line 2 (by agent-1, main)");
  });

  it("in the background wait after the turn has ended, and /pending writes them as one step of undo", async () => {
    const held = Promise.withResolvers<void>();
    session = await start(
      [
        turns.call("bash", { command: "touch begun" }),
        ...edit("a.txt", "two", "TWO"),
        ...edit("b.txt", "b", "B"),
        turns.say("Done."),
      ],
      [turns.call("start_subagent", { task: "change a.txt", background: true }), turns.say("It works on it.")],
      async ({ tool }) => {
        if (tool === "review") return TAKE;
        await held.promise;
        return { outcome: "selected", optionId: "allow_once" };
      },
    );
    await session.prompt("go");
    held.resolve();
    const { update } = await session.live.until(
      ({ update }) => update.sessionUpdate === "subagent_update" && update.state === "completed",
    );
    expect(update).toMatchObject({ background: true });
    expect(inFiles()).toEqual(files);
    expect(await session.pending()).toEqual({ changes: 2, files: 2 });
    expect(await session.command("pending")).toBe("Wrote all 2 changes. /undo reverts them.");
    expect(session.asked.at(-1)?.review?.map(({ path, agents }) => [path, agents])).toEqual([
      [session.path("a.txt"), ["agent-1"]],
      [session.path("b.txt"), ["agent-1"]],
    ]);
    expect(inFiles()).toEqual({ "a.txt": "one\nTWO\nthree\n", "b.txt": "B\n" });
    if (!hasGit) return;
    await session.command("undo");
    expect(inFiles()).toEqual(files);
  });

  it("in the background are reviewed before its command, which is what stops when they are left for later", async () => {
    session = await start(
      [...edit("a.txt", "two", "TWO"), turns.call("bash", { command: "touch there" }), turns.say("never")],
      [turns.call("start_subagent", { task: "change a.txt", background: true }), turns.say("It works on it.")],
      () => ({ outcome: "cancelled" }),
    );
    await session.prompt("go");
    const { update } = await session.live.until(
      ({ update }) => update.sessionUpdate === "subagent_update" && update.state !== "running",
    );
    expect(update).toMatchObject({ state: "cancelled" });
    expect(session.asked.at(-1)?.review).toMatchObject([{ agents: ["agent-1"] }]);
    expect(inFiles()).toEqual(files);
    expect(await session.pending()).toEqual({ changes: 1, files: 1 });
  });
});

describe.runIf(hasGit)("edits in a worktree of a subagent", () => {
  it("need no question there, and reach the workspace only when the person has seen them all", async () => {
    session = await start(
      [
        ...edit("a.txt", "two", "TWO"),
        turns.call("write", { file_path: "made.txt", content: "made\n" }),
        turns.say("Done."),
      ],
      [
        turns.call("start_subagent", { task: "change a.txt", worktree: true }),
        turns.say("I wait."),
        turns.call("agent_changes", { agent: "agent-1", action: "apply" }),
        turns.say("ok"),
      ],
      () => ({ outcome: "selected", optionId: "allow_once" }),
    );
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: session.live.cwd });
    git("init", "-q");
    git("add", "-A");
    git("commit", "-q", "-m", "first");
    await session.prompt("go");
    expect(outcomes("agent-1").map(({ status }) => status)).toEqual(["ok", "ok", "ok"]);
    expect(session.asked).toMatchObject([
      {
        agentId: "main",
        tool: "agent_changes",
        title: "agent_changes apply agent-1",
        preview: [{ type: "diff" }, { type: "diff" }],
      },
    ]);
    expect(session.read("a.txt")).toBe("one\nTWO\nthree\n");
    await session.command("undo");
    expect(inFiles()).toEqual(files);
  });
});
