import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Permission } from "@harness/protocol";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Line, linesOf, resultOf, TestHome } from "../../packages/cli/test/harness-process.ts";

let server: ModelServer;
let place: TestHome;

type Body = { messages: { role: string; content: string }[] };
const always = { perConversation: true } as const;

beforeAll(async () => {
  server = await startModelServer({
    scenario: {
      name: "sessions over several runs, and several prompts in one",
      lanes: [
        {
          match: "touch",
          turns: [turns.call("bash", { command: "touch made" }), turns.say("Done now.", { repeat: "always" })],
          ...always,
        },
        { match: "hang", turns: [{ text: "Some words.", fault: { kind: "hang", afterEvents: 2, times: "always" } }] },
        { match: "wrong key", turns: [turns.fail({ kind: "status", status: 401, times: "always" })] },
      ],
      turns: [turns.say("Hello there.", { repeat: "always" })],
    },
  });
  place = new TestHome(server.environment);
});
afterAll(async () => {
  await server?.close();
  place?.remove();
});

const lastMessages = (): Body["messages"] => (server.chatRequests.at(-1)?.body as Body | undefined)?.messages ?? [];
const said = (): string[] =>
  lastMessages()
    .map(({ role, content }) => `${role === "system" ? "" : content.replace(/\n\n\[Today: [\d-]+\]$/, "")}`)
    .slice(1);

describe("the mode of a run", () => {
  it("is agent whatever the settings say, unless the flag names a different one; a session goes on in its own", async () => {
    const own = new TestHome(server.environment);
    mkdirSync(own.home, { recursive: true });
    writeFileSync(join(own.home, "settings.json"), JSON.stringify({ preferred_mode: "casual" }));
    const system = async (...args: string[]) => {
      await own.run(["run", ...args, "hi"]);
      const body = server.chatRequests.at(-1)?.body as Body | undefined;
      return body?.messages[0]?.content;
    };
    expect(await system()).toContain("a coding agent");
    expect(await system("--mode", "casual")).toContain("casual mode");
    expect(await system("-c")).toContain("casual mode");
    own.remove();
  });
});

describe("a session over several runs", () => {
  it("is continued by -c, by id, by the start of its id, and by title; each request begins with the last one", async () => {
    const own = new TestHome(server.environment);
    const json = ["run", "--output-format", "json"];
    const first = resultOf(await own.run([...json, "-n", "my task", "one"]));
    const before = JSON.stringify(lastMessages());
    const id = first.sessionId as string;
    const ways = [["-c"], ["-r", id], ["-r", id.slice(0, -1)], ["-r", "my task"]];
    for (const [n, way] of ways.entries()) {
      const result = resultOf(await own.run([...json, ...way, `more ${n}`]));
      expect(result).toMatchObject({ sessionId: id, exitCode: 0, turns: 1 });
      expect(JSON.stringify(lastMessages()).startsWith(before.slice(0, -1))).toBe(true);
    }
    const answers = ways.map((_, n) => [`more ${n}`, "Hello there."]);
    expect(said()).toEqual(["one", "Hello there.", ...answers.flat().slice(0, -1)]);
    expect(readdirSync(join(own.home, "conversations")).filter((name) => name.startsWith("2"))).toEqual([id]);

    // The newest of exactly this folder.
    expect(resultOf(await own.run([...json, "-C", own.root, "elsewhere"])).sessionId).not.toBe(id);
    expect(resultOf(await own.run([...json, "-c", "last"])).sessionId).toBe(id);
    const [init, ...lines] = linesOf(
      (await own.run(["run", "--json", "-r", id, "-n", "new name", "-C", own.root, "x"])).stdout,
    );
    expect(init).toMatchObject({ type: "init", sessionId: id, cwd: own.cwd });
    expect(lines[0]).toMatchObject({ update: { sessionUpdate: "session_info_update", title: "new name" } });
    own.remove();
  });

  it("is not left behind if no model could be chosen: nothing was requested", async () => {
    const own = new TestHome({});
    try {
      const failed = await own.run(["run", "hello"]);
      expect(failed.code).not.toBe(0);
      expect(JSON.parse((await own.run(["sessions", "--json"])).stdout.trim().split("\n")[0] ?? "{}")).toMatchObject({
        sessions: [],
      });
    } finally {
      own.remove();
    }
  });

  it("is not taken from a process that holds it, which is exit code 7", async () => {
    const holder = place.start(["run", "--json", "hang"]);
    await holder.says("stdout", `"state":"running"`);
    const id = linesOf(holder.stdout)[0]?.sessionId as string;
    const ended = await place.run(["run", "--output-format", "json", "-r", id, "me too"]);
    expect(ended.code).toBe(7);
    expect(resultOf(ended)).toMatchObject({ sessionId: null, error: { kind: "session" } });
    expect(ended.stderr).toContain(String(holder.child.pid));
    holder.child.kill("SIGINT");
    expect((await holder.ended).code).toBe(130);
    // Once the other run has ended, the session is free at once.
    expect((await place.run(["run", "-r", id, "--timeout", "1s", "hang"])).code).toBe(5);
  });
});

const lines = (...objects: object[]): string => objects.map((line) => `${JSON.stringify(line)}\n`).join("");
const says = (prompt: string, more: object = {}) => ({ type: "prompt", prompt, ...more });

/** One run that reads messages from stdin. */
async function fed(
  stdin: string,
  ...flags: string[]
): Promise<{ code: number | null; lines: Line[]; result: Line; stderr: string }> {
  const ended = await place.run(["run", "--input-format", "stream-json", "--json", ...flags], { stdin });
  const all = linesOf(ended.stdout);
  expect(all.filter(({ type }) => type === "result")).toEqual([all.at(-1)]);
  return { code: ended.code, lines: all, result: all.at(-1) as Line, stderr: ended.stderr };
}

const kinds = (all: Line[], kind: string) =>
  all.map(({ update }) => update as Record<string, unknown>).filter((update) => update?.sessionUpdate === kind);

describe.concurrent("a line of stdin", () => {
  it("is a prompt of one session, after the previous one", async () => {
    const { code, lines: all, result } = await fed(lines(says("one"), says("two", { promptId: "p2" }), says("three")));
    expect(code).toBe(0);
    expect(kinds(all, "user_message").map(({ content }) => (content as { text: string }[])[0]?.text)).toEqual([
      "one",
      "two",
      "three",
    ]);
    expect(kinds(all, "user_message")[1]).toMatchObject({ promptId: "p2" });
    expect(kinds(all, "state_update").map(({ state }) => state)).toEqual([
      "running",
      "idle",
      "running",
      "idle",
      "running",
      "idle",
    ]);
    expect(result).toMatchObject({ subtype: "success", turns: 3 });
  });

  it("counts once when its promptId is repeated with the same prompt", async () => {
    const { code, lines: all } = await fed(
      lines(says("one", { promptId: "p" }), says("one", { promptId: "p" }), says("two")),
    );
    expect(code).toBe(0);
    expect(kinds(all, "user_message")).toHaveLength(2);
  });

  it("is refused with exit code 2 when it reuses a promptId for another prompt", async () => {
    const { code, result } = await fed(lines(says("one", { promptId: "p" }), says("two", { promptId: "p" })));
    expect(code).toBe(2);
    expect((result.error as { message: string }).message).toContain("p");
  });

  it("can cancel the current turn, and the next prompt runs", async () => {
    const { code, lines: all } = await fed(lines(says("hang"), { type: "cancel" }));
    expect(code).toBe(130);
    expect(all.at(-1)).toMatchObject({
      subtype: "cancelled",
      stopReason: "cancelled",
      error: { message: "The turn was cancelled." },
    });
  });

  it("can answer a permission request", async () => {
    const harness = place.start(["run", "--input-format", "stream-json", "--json"], { stdin: "pipe" });
    harness.child.stdin?.write(lines(says("touch by permission")));
    await harness.says("stdout", "permission_requested");
    await harness.says("stdout", "requires_action");
    const [asked] = kinds(linesOf(harness.stdout), "permission_requested");
    const { permissionId, options } = (asked?.permission ?? {}) as Partial<Permission>;
    const optionId = options?.find(({ kind }) => kind === "allow_once")?.optionId;
    const reply = { type: "permission_reply", permissionId, outcome: { outcome: "selected", optionId } };
    harness.child.stdin?.end(lines(reply, reply));
    const { code, stdout, stderr } = await harness.ended;
    expect(code).toBe(0);
    expect(linesOf(stdout).at(-1)).toMatchObject({ result: "Done now.", permissionDenials: [] });
    expect(readdirSync(place.cwd)).toContain("made");
    // The second answer comes too late, which only causes a note.
    expect(stderr).toContain("is not open");
  });

  it("cannot be awaited after the end of stdin, so that permissions are denied", async () => {
    const { code, result } = await fed(lines(says("touch without an answer")));
    expect(code).toBe(0);
    expect(result).toMatchObject({ result: "Done now.", permissionDenials: [{ tool: "bash" }] });
  });

  it("makes the run fail when its turn failed, although the next one succeeded", async () => {
    const { code, result } = await fed(lines(says("wrong key"), says("wrong key still")));
    expect(code).toBe(3);
    expect(result).toMatchObject({ subtype: "error", error: { kind: "auth" } });
  });

  it.each([
    ["nonsense", "Line 2 of stdin is not JSON."],
    ['{"type":"prompt"}', "Line 2 of stdin has no prompt"],
  ])("ends the run when it cannot be parsed: %s", async (line, words) => {
    const { code, result, lines: all } = await fed(`${lines(says("hang"))}${line}\n`);
    expect(code).toBe(2);
    expect((result.error as { message: string }).message).toContain(words);
    // However early the line is read, the turn of the first one ends like a cancelled one.
    expect(all.at(-2)).toMatchObject({ update: { state: "idle", stopReason: "cancelled" } });
  });

  it("ends the run before a prompt that waits for its turn", async () => {
    const { code, lines: all } = await fed(`${lines(says("hang"), says("one"))}nonsense\n`);
    expect(code).toBe(2);
    const begun = all.filter((each) => (each.update as { state?: string } | undefined)?.state === "running");
    expect(begun).toHaveLength(1);
  });

  it("is required to hold a prompt: exit code 2", async () => {
    expect((await fed("")).result).toMatchObject({
      exitCode: 2,
      error: { message: expect.stringContaining("stdin contained no prompt") },
    });
  });
});

describe("a session whose folder is gone", () => {
  /** A session in a folder that was moved to `place`. */
  async function begun(place: string) {
    const own = new TestHome(server.environment);
    const first = resultOf(await own.run(["run", "--output-format", "json", "hello"]));
    const moved = join(own.root, place);
    return { own, id: String(first.sessionId), moved };
  }

  it.each([[["-c"]], [["-r", "ID"]]])("goes along with its folder: %j", async (way) => {
    const { own, id, moved } = await begun("moved");
    renameSync(own.cwd, moved);
    const args = way.map((word) => (word === "ID" ? id : word));
    const going = await own.run(["run", ...args, "go on"], { cwd: moved });
    expect(going).toMatchObject({ code: 0, stdout: "Hello there.\n" });
    expect(going.stderr).toContain(`This session goes on in ${moved}. Its folder ${own.cwd} no longer exists.`);
    expect(lastMessages()[0]?.content).toContain(moved);
    expect(said().join("\n")).toContain(
      `[A note from harness, not from the person: The folder of this session, ${own.cwd}, no longer exists`,
    );
    // It stays there.
    const after = await own.run(["run", "-c", "and again"], { cwd: moved });
    expect(after).toMatchObject({ code: 0, stderr: expect.not.stringContaining("goes on") });
    expect(resultOf(await own.run(["run", "--output-format", "json", "-c", "x"], { cwd: moved })).sessionId).toBe(id);
    own.remove();
  });

  it("is not gone on with in silence elsewhere, and says how to", async () => {
    const { own, id, moved } = await begun("elsewhere");
    renameSync(own.cwd, join(own.root, "gone"));
    rmSync(join(own.root, "gone"), { recursive: true });
    mkdirSync(moved);
    const before = server.chatRequests.length;
    const how = `harness run -r ${id} -C FOLDER`;
    for (const [way, words] of [
      [["-r", id], `is gone: ${own.cwd} does not exist`],
      [["-c"], `Session ${id} was in ${own.cwd}, which no longer exists.`],
    ] as const) {
      const ended = await own.run(["run", ...way, "go on"], { cwd: moved });
      expect([ended.code, ended.stdout]).toEqual([7, ""]);
      expect(ended.stderr).toContain(words);
      expect(ended.stderr).toContain(how);
    }
    expect(server.chatRequests.length).toBe(before);
    // The advice in the message works.
    const named = await own.run(["run", "-r", id, "-C", moved, "go on"], { cwd: own.root });
    expect(named).toMatchObject({ code: 0, stdout: "Hello there.\n" });
    own.remove();
  });

  it("is found by its repository, and not taken along without being asked", async () => {
    const own = new TestHome(server.environment);
    const git = (cwd: string, ...args: string[]) =>
      execFileSync("git", ["-c", "user.email=a@b", "-c", "user.name=a", ...args], { cwd, stdio: "pipe" });
    git(own.cwd, "init", "-q");
    git(own.cwd, "commit", "-q", "--allow-empty", "-m", "one");
    const worktree = join(own.root, "side");
    git(own.cwd, "worktree", "add", "-q", worktree);
    const { sessionId } = resultOf(await own.run(["run", "--output-format", "json", "hello"], { cwd: worktree }));
    git(own.cwd, "worktree", "remove", "--force", worktree);
    const ended = await own.run(["run", "-c", "go on"], { cwd: own.cwd });
    expect(ended.code).toBe(7);
    expect(ended.stderr).toContain(
      `Session ${sessionId} was in ${worktree}, which no longer exists, and this is the same repository.`,
    );
    own.remove();
  });
});
