// Replays of work beside the folder: edits that wait for a review, subagents in worktrees.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Permission, PermissionOutcome } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { type PersonAnswer, ReviewedSession, TAKE } from "../support/reviewed-session.ts";

let session: ReviewedSession;
afterEach(() => session.close());

const edit = (old_string: string, new_string: string) =>
  turns.call("edit", { file_path: "a.txt", old_string, new_string });
const ok = turns.say("ok", { repeat: "always" as const });
const same = { differing: 0, differences: [], notes: [] };

async function replay() {
  const { client, sessionId } = session;
  await client.call("session/close", { sessionId });
  return await client.call("session/replay", { sessionId });
}

it("edits that wait, are put off, accepted in part and rejected before a command that then does not run", async () => {
  const reject = ({ review = [] }: Permission): PermissionOutcome => ({
    ...{ outcome: "selected", optionId: "take" },
    hunks: review.map(({ hunkId }, at) => ({ hunkId, take: at > 0, feedback: "keep it" })),
  });
  const answers: PersonAnswer[] = [() => ({ outcome: "cancelled" }), reject];
  session = await ReviewedSession.start({
    scenario: {
      turns: [
        ...[turns.call("read", { file_path: "a.txt" }), edit("one", "ONE"), turns.say("Changed.")],
        ...[edit("two", "TWO"), turns.call("bash", { command: "make-it" }), turns.say("I see.")],
        ...[turns.call("read", { file_path: "a.txt" }), edit("one", "1"), turns.call("bash", { command: "make-it" })],
        ok,
      ],
    },
    files: { "a.txt": "one\n\n\n\n\n\n\n\n\ntwo\n", "AGENTS.md": "# Rules\n" },
    answer: (permission) => answers.shift()?.(permission) ?? TAKE,
  });
  const { live } = session;
  mkdirSync(live.home, { recursive: true });
  const settings = (value: object) => writeFileSync(join(live.home, "settings.json"), JSON.stringify(value));
  settings({ safe_command_prefixes: ["make-it"] });
  for (const text of ["put it off", "reject it", "take it"]) await session.prompt(text);
  expect(session.asked.map(({ tool }) => tool)).toEqual(["review", "review", "review"]);
  const replayed = await replay();
  expect(replayed).toMatchObject({ ...same, calls: 6 });
  expect(replayed.exact).toBe(replayed.requests);
  settings({ denied_command_prefixes: ["make-it"] });
  expect(await replay()).toMatchObject({
    differing: 1,
    differences: [{ turn: 3, kind: "call", where: "bash make-it", recorded: "It ran unasked." }],
  });
});

it("the tool for the changes of a subagent in a worktree is offered once it has ended", async () => {
  session = await ReviewedSession.start({
    scenario: {
      lanes: [
        {
          match: "change a.txt",
          turns: [turns.call("write", { file_path: "b.txt", content: "b\n" }), turns.say("Done.")],
        },
      ],
      turns: [turns.call("start_subagent", { task: "change a.txt", worktree: true }), turns.say("I wait."), ok],
    },
    files: { "a.txt": "one\n" },
    permissionMode: "allow-all",
    answer: () => TAKE,
  });
  const { cwd } = session.live;
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
  await session.prompt("go");
  await session.prompt("and again");
  expect(session.lastSent).toContain("agent_changes");
  const replayed = await replay();
  expect(replayed).toMatchObject(same);
  expect(replayed.exact).toBe(replayed.requests);
});
