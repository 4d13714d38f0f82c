// The permission mode `review` as other programs see it: a real server process over stdio, a scripted model over real HTTP.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HunkAnswer, Permission, PermissionOutcome, SessionUpdate } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

type Script = Exclude<Parameters<typeof LiveServer.start>[0]["turns"], undefined>;
type Answer = (permission: Permission) => PermissionOutcome | Promise<PermissionOutcome>;

let live: LiveServer;
let asked: Permission[] = [];
afterEach(() => live.close());

const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
const before = `${lines.join("\n")}\n`;
const take: PermissionOutcome = { outcome: "selected", optionId: "take" };
const reads = turns.call("read", { file_path: "a.txt" });
const edit = (old: string, into: string) =>
  turns.call("edit", { file_path: "a.txt", old_string: old, new_string: into });

async function start(script: Script, answer: Answer) {
  live = await LiveServer.start({ turns: script });
  asked = [];
  mkdirSync(live.cwd);
  writeFileSync(join(live.cwd, "a.txt"), before);
  const { client, process: server } = await live.connect(async ({ permission }) => {
    asked.push(permission);
    return await answer(permission);
  });
  const { session } = await client.call("session/new", { cwd: live.cwd, config: { permissionMode: "review" } });
  let last = 0;
  return {
    client,
    server,
    sessionId: session.sessionId,
    async prompt(text: string) {
      await client.call("session/prompt", { sessionId: session.sessionId, promptId: text, prompt: say(text) });
      last = (await live.idle(last)).seq ?? last;
    },
  };
}

const content = (name = "a.txt") => readFileSync(join(live.cwd, name), "utf8");
const lastSent = () => JSON.stringify(live.model.chatRequests.at(-1)?.body);
const only =
  (...answers: Omit<HunkAnswer, "hunkId">[]): Answer =>
  ({ review = [] }) => ({
    outcome: "selected",
    optionId: "take",
    hunks: answers.flatMap((each, at) => (review[at] ? [{ hunkId: review[at].hunkId, ...each }] : [])),
  });

describe("edits in the mode review", () => {
  it("wait beside the folder, are seen by the agent, and are written together when they are taken", async () => {
    let during = "";
    const script = [
      reads,
      edit("line 2\n", "TWO\n"),
      edit("TWO\n", "two\n"),
      reads,
      edit("line 15", "L15"),
      turns.say("ok"),
    ];
    const { prompt } = await start(script, () => {
      during = content();
      return take;
    });
    await prompt("go");
    expect(during).toBe(before);
    expect(asked.map(({ tool, review }) => ({ tool, review }))).toMatchObject([
      {
        tool: "review",
        review: [
          { line: 2, before: "line 2\n", after: "two\n" },
          { line: 15, before: "line 15\n", after: "L15\n" },
        ],
      },
    ]);
    expect(content()).toBe(before.replace("line 2\n", "two\n").replace("line 15", "L15"));
    expect(lastSent()).toContain("two");
    expect(live.model.chatRequests).toHaveLength(6);
  });

  it("that are rejected go back to the model with the words of the person, the others are written", async () => {
    const script = [reads, edit("line 2\n", "TWO\n"), edit("line 15", "L15"), turns.say("ok"), turns.say("I see")];
    const { prompt } = await start(script, only({ take: false, feedback: "keep it small" }));
    await prompt("go");
    expect(content()).toBe(before.replace("line 15", "L15"));
    expect(lastSent()).toContain("keep it small");
    expect(lastSent()).toContain("1 of 2 changes");
  });

  it.each<[string, string[], Answer, object]>([
    ["a new file", ["new"], only({ take: false }), { title: "new file.md was rejected; it was not written." }],
    ["the only change", ["2"], only({ take: false }), { title: "The change in a.txt was rejected." }],
    [
      "some in several files",
      ["new", "2", "15"],
      only({ take: false }, { take: false }),
      {
        title: "You rejected 2 of 3 changes.",
        description: "new file.md was rejected; it was not written.\n1 of 2 changes in a.txt was rejected.",
      },
    ],
  ])("that are rejected are named in the conversation: %s", async (_name, which, answer, notice) => {
    const edits: Record<string, Script[number]> = {
      new: turns.call("write", { file_path: "new file.md", content: "# New\n" }),
      2: edit("line 2\n", "TWO\n"),
      15: edit("line 15", "L15"),
    };
    const script = which.flatMap((each) => edits[each] ?? []);
    const { prompt } = await start([reads, ...script, turns.say("ok"), turns.say("I see")], answer);
    await prompt("go");
    const notices = live.updates.flatMap(({ update }) => (update.sessionUpdate === "notice" ? [update] : []));
    expect(notices).toMatchObject([{ severity: "info", ...notice }]);
  });

  it("are written with the lines that the person put in their place", async () => {
    const { prompt } = await start(
      [reads, edit("line 2\n", "TWO\n"), turns.say("ok"), turns.say("I see")],
      only({ take: true, text: "zwei\n" }),
    );
    await prompt("go");
    expect(content()).toBe(before.replace("line 2\n", "zwei\n"));
    expect(lastSent()).toContain("zwei");
  });

  it("are reviewed before a command, which does not run where something was rejected", async () => {
    const touch = turns.call("bash", { command: "touch there" });
    const { prompt } = await start([reads, edit("line 2\n", "TWO\n"), touch, turns.say("ok")], ({ review }) =>
      review
        ? { outcome: "selected", optionId: "reject", feedback: "no" }
        : { outcome: "selected", optionId: "allow_once" },
    );
    await prompt("go");
    expect(asked.map(({ tool }) => tool)).toEqual(["review"]);
    expect([existsSync(join(live.cwd, "there")), content()]).toEqual([false, before]);
  });

  it("of a file that has changed on disk meanwhile are not written over it", async () => {
    const { prompt } = await start([reads, edit("line 2\n", "TWO\n"), turns.say("ok"), turns.say("I see")], () => {
      writeFileSync(join(live.cwd, "a.txt"), "mine\n");
      return take;
    });
    await prompt("go");
    expect(content()).toBe("mine\n");
  });

  it("of a file that has changed while they waited are not written, and the conversation says so", async () => {
    const { sessionId, client, server } = await start(
      [reads, edit("line 2\n", "TWO\n"), turns.say("ok"), turns.say("again"), turns.say("I see")],
      () => new Promise(() => undefined),
    );
    await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("go") });
    await live.until(({ update }) => update.sessionUpdate === "permission_requested");
    process.kill(server.pid ?? Number.NaN, "SIGKILL");
    await server.exited;
    writeFileSync(join(live.cwd, "a.txt"), "mine\n");
    const after = await live.connect(async () => take);
    await after.client.call("session/resume", { sessionId, replay: { type: "none" } });
    const seen = new Set(live.updates);
    await after.client.call("session/prompt", { sessionId, promptId: "p2", prompt: say("on") });
    await live.until((each) => !seen.has(each) && isIdle(each));
    expect(content()).toBe("mine\n");
    const notices = live.updates.flatMap(({ update }) => (update.sessionUpdate === "notice" ? [update.title] : []));
    expect(notices).toContain("a.txt has changed on disk since the edit; it was not written.");
    expect(lastSent()).toContain("Not written, as the file has changed on disk");
  });

  it("wait for the next turn where the review is left, also after the process was killed", async () => {
    const made = turns.call("write", { file_path: "new/b.txt", content: "b\n" });
    const { sessionId, client, server } = await start(
      [made, turns.say("ok"), turns.say("again")],
      () => new Promise(() => undefined),
    );
    await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("go") });
    await live.until(({ update }) => update.sessionUpdate === "permission_requested");
    process.kill(server.pid ?? Number.NaN, "SIGKILL");
    await server.exited;
    expect(existsSync(join(live.cwd, "new"))).toBe(false);
    const after = await live.connect(async () => take);
    await after.client.call("session/resume", { sessionId, replay: { type: "none" } });
    const seen = new Set(live.updates);
    await after.client.call("session/prompt", { sessionId, promptId: "p2", prompt: say("on") });
    await live.until((each) => !seen.has(each) && isIdle(each));
    expect(content("new/b.txt")).toBe("b\n");
  });
});

const isIdle = ({ update }: SessionUpdate) => update.sessionUpdate === "state_update" && update.state === "idle";
