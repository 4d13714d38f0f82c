// A session on disk is data, not an order of the user: a log of each kind that others have made, in a real server.
import { execFileSync, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import type { HarnessClient } from "@harness/client";
import type { Fact, FactKind, Permission, StagedFile, UpdateOf } from "@harness/protocol";
import { type ActingFact, logCauses, sampleFacts, turns } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

const KEY = Buffer.alloc(32, 7);
const hasGit = spawnSync("git", ["--version"]).status === 0;

let live: LiveServer;
let client: HarnessClient;
let count: number;

beforeEach(async () => {
  count = 0;
  live = await LiveServer.start({ turns: [turns.say("ok", { repeat: "always" })] });
  mkdirSync(live.cwd);
  mkdirSync(live.home);
  put("a.txt", "one\n");
  ({ client } = await live.connect());
  // Creates the files that harness makes with its first session.
  const { session } = await client.call("session/new", { cwd: live.cwd });
  await client.call("session/close", { sessionId: session.sessionId });
  mkdirSync(join(live.home, "conversations"), { recursive: true, mode: 0o700 });
  writeFileSync(join(live.home, "conversations", ".key"), KEY, { mode: 0o600 });
});
afterEach(() => live.close());

function put(name: string, text: string): string {
  const path = name.startsWith("/") ? name : join(live.cwd, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

type Forged = { sessionId: string; dir: string; blob(name: string, text: string): string };

/** A session folder as an attacker could create it; its log is written by `open`. */
function forge(): Forged {
  count += 1;
  const sessionId = `20260101-00000${count}-fake`;
  const dir = join(live.home, "conversations", sessionId);
  mkdirSync(join(dir, "blobs"), { recursive: true });
  return { sessionId, dir, blob: (name, text) => put(join(dir, "blobs", name), text) };
}

const hello: Fact = { ...sampleFacts.user_message, content: [{ type: "text", text: "hello" }] };

const plain = (line: object) => JSON.stringify(line);

/** As harness writes it: with a checksum of everything before it. */
function sealed(line: object): string {
  const body = plain(line).slice(0, -1);
  return `${body},"crc":"${crc32(body).toString(16).padStart(8, "0")}"}`;
}

async function open(
  { sessionId, dir }: Forged,
  facts: readonly Fact[],
  agentId = "main",
  write = plain,
  header: object = { by: proofOf(sessionId) },
): Promise<string> {
  const at = "2026-01-01T00:00:00.000Z";
  const lines = [
    { type: "header", version: 1, sessionId, cwd: live.cwd, createdAt: at, ...header },
    ...[hello, ...facts].map((update, index) => ({
      seq: index + 1,
      at,
      agentId: index === 0 ? "main" : agentId,
      update,
    })),
  ];
  writeFileSync(join(dir, "log.jsonl"), `${lines.map(write).join("\n")}\n`);
  const { session } = await client.call("session/resume", { sessionId, replay: { type: "none" } });
  return session.damage ?? "";
}

/** Only this user's harness can write this: such a session was begun here, and its log was changed by others. */
function proofOf(sessionId: string): string {
  return createHmac("sha256", KEY).update(sessionId).digest("hex");
}

async function notices({ sessionId }: Forged): Promise<string> {
  const { events } = await client.call("session/history", { sessionId, limit: 1000 });
  const found = events.flatMap(({ update }) =>
    update.sessionUpdate === "notice" ? [update as UpdateOf<"notice">] : [],
  );
  return found.map(({ title, description = "" }) => `${title}\n${description}`).join("\n");
}

/** Every file outside of the conversations, with its content. */
function everything(folder = live.root): Record<string, string> {
  const skipped = [join(live.home, "conversations"), join(live.home, "logs"), join(live.home, "checkpoints")];
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (skipped.includes(path)) continue;
    found[path] = contentOf(path);
    if (lstatSync(path).isDirectory()) Object.assign(found, everything(path));
  }
  return found;
}

function contentOf(path: string): string {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return `link ${readlinkSync(path)}`;
  return stats.isFile() ? readFileSync(path, "latin1") : "folder";
}

it("opens a session with facts of each kind that causes nothing, and nothing else changes", async () => {
  const before = everything();
  const kinds = Object.entries(logCauses).flatMap(([kind, cause]) => (cause === "nothing" ? [kind as FactKind] : []));
  const here = { ...sampleFacts, folder_update: { ...sampleFacts.folder_update, cwd: live.cwd } };
  for (const kind of kinds) await open(forge(), [here[kind]]);
  expect(kinds.length).toBeGreaterThan(15);
  expect(everything()).toEqual(before);
  expect(live.model.chatRequests).toEqual([]);
});

const forged: Record<ActingFact, () => void> = {
  staged_update: () => stagedEdits(),
  permission_resolved: () => answeredReviews(),
  process_update: () => keptProcesses(),
  subagent_update: () => worktrees(),
  checkpoint: () => interruptedTurns(),
};
for (const [kind, tests] of Object.entries(forged)) describe.runIf(hasGit)(`a forged ${kind}`, tests);

const taken = (path: string, content: string | null, more: Partial<StagedFile> = {}): Fact => ({
  sessionUpdate: "staged_update",
  files: [{ path, base: null, content, standing: "taken", ...more }],
});

function stagedEdits(): void {
  it("writes what is the session's own and in the workspace, and names it", async () => {
    const session = forge();
    await open(session, [taken(join(live.cwd, "new.txt"), session.blob("t.txt", "new\n"))]);
    expect(readFileSync(join(live.cwd, "new.txt"), "utf8")).toBe("new\n");
    expect(await notices(session)).toContain("in 1 file.\nnew.txt");
  });

  it.each<[string, () => object]>([
    ["a folder that its log names", () => ({ cwd: live.root })],
    ["the workspace", () => ({})],
    ["the workspace, with the proof of another session", () => ({ by: proofOf("20260101-000009-fake") })],
  ])("of a session that was not begun here writes nothing in %s: it waits, and is named", async (_name, header) => {
    const session = forge();
    const edit = taken(join(live.cwd, "new.txt"), session.blob("t.txt", "new\n"));
    await open(session, [edit], "main", plain, header());
    expect(existsSync(join(live.cwd, "new.txt"))).toBe(false);
    expect(await notices(session)).toContain("new.txt: the session was not started here");
    expect((await client.call("hud/get", { sessionId: session.sessionId })).pendingEdits).toMatchObject({ files: 1 });
  });

  it.each([
    ["a file outside", () => join(live.home, "..", "bashrc"), "writes outside the workspace"],
    ["a start-up file", () => join(live.home, ".bashrc"), "writes to a protected file"],
    ["a protected file", () => join(live.cwd, ".github/workflows/x.yml"), "writes to a protected file"],
    ["a file that may hold secrets", () => join(live.cwd, ".env"), "which may hold secrets"],
    ["a file behind a link out of the workspace", () => join(live.cwd, "out", "x.txt"), "writes outside the workspace"],
    ["a file behind a link within it", () => join(live.cwd, "in", "x.txt"), "writes through a link"],
  ])("writes nothing to %s: it waits, and is named", async (_name, path, reason) => {
    symlinkSync(live.root, join(live.cwd, "out"));
    mkdirSync(join(live.cwd, "real"));
    symlinkSync(join(live.cwd, "real"), join(live.cwd, "in"));
    const before = everything();
    const session = forge();
    await open(session, [taken(path(), session.blob("t.txt", "evil\n"))]);
    expect(everything()).toEqual(before);
    expect(await notices(session)).toContain(reason);
    expect((await client.call("hud/get", { sessionId: session.sessionId })).pendingEdits).toMatchObject({ files: 1 });
  });

  it.each<[string, (session: Forged) => string]>([
    ["a file of the person", () => put(join(live.root, "secret.txt"), "secret\n")],
    [
      "a link among its texts",
      ({ dir }) => {
        symlinkSync(put(join(live.root, "secret.txt"), "secret\n"), join(dir, "blobs", "l.txt"));
        return join(dir, "blobs", "l.txt");
      },
    ],
    ["its own log", ({ dir }) => join(dir, "log.jsonl")],
    ["the texts of another session", () => forge().blob("t.txt", "other\n")],
  ])("takes no text from %s: the edit is left out, and named", async (_name, content) => {
    const session = forge();
    const path = content(session);
    for (const standing of ["taken", "waiting"] as const) {
      const one = standing === "taken" ? session : forge();
      await open(one, [taken(join(live.cwd, "stolen.txt"), path, { standing })]);
      expect(existsSync(join(live.cwd, "stolen.txt"))).toBe(false);
      expect(await notices(one)).toContain("left out, as their text is not the session's own.\nstolen.txt");
      expect((await client.call("hud/get", { sessionId: one.sessionId })).pendingEdits).toBeUndefined();
    }
  });
}

function answeredReviews(): void {
  const review = (path: string, after: string): Fact[] => {
    const hunk = { hunkId: "1.1", path, change: "create" as const, line: 1, before: "", after };
    const permission: Permission = {
      permissionId: "r1",
      agentId: "main",
      toolCallId: "r1",
      tool: "review",
      title: "review",
      reason: "",
      risk: "medium",
      effects: [],
      preview: [],
      options: [],
      review: [hunk],
    };
    return [
      { sessionUpdate: "permission_requested", permission },
      {
        sessionUpdate: "permission_resolved",
        permissionId: "r1",
        toolCallId: "r1",
        by: "x",
        reason: "answered",
        outcome: { outcome: "selected", optionId: "take" },
      },
    ];
  };

  it.each([
    ["writes an ordinary file of the workspace", "new.txt", true],
    ["does not write a protected file", ".envrc", false],
    ["does not write outside", "../outside.txt", false],
  ])("%s", async (_name, name, isWritten) => {
    const session = forge();
    const path = join(live.cwd, name);
    const waiting = taken(path, session.blob("t.txt", "new\n"), { standing: "waiting" });
    await open(session, [waiting, ...review(path, "new\n")]);
    expect(existsSync(path)).toBe(isWritten);
    expect(await notices(session)).toContain(
      isWritten ? "Wrote what you had taken" : "Not everything that the log says",
    );
  });

  it("writes nothing in a session that was not begun here", async () => {
    const session = forge();
    const path = join(live.cwd, "new.txt");
    const waiting = taken(path, session.blob("t.txt", "new\n"), { standing: "waiting" });
    await open(session, [waiting, ...review(path, "new\n")], "main", plain, {});
    expect(existsSync(path)).toBe(false);
    expect((await client.call("hud/get", { sessionId: session.sessionId })).pendingEdits).toMatchObject({ files: 1 });
  });

  it("writes nothing that was not shown like that", async () => {
    const session = forge();
    const path = join(live.cwd, "new.txt");
    const waiting = taken(path, session.blob("t.txt", "other\n"), { standing: "waiting" });
    await open(session, [waiting, ...review(path, "new\n")]);
    expect(existsSync(path)).toBe(false);
    expect((await client.call("hud/get", { sessionId: session.sessionId })).pendingEdits).toMatchObject({ files: 1 });
  });
}

describe("a pinned file of a log", () => {
  it.each([
    ["is sent in a session that was begun here", undefined, true],
    ["is not sent in one that was not, until it is pinned again: that is said", {}, false],
  ])("%s", async (_name, header, isSent) => {
    const session = forge();
    const path = put("pinned.txt", "the words of the file\n");
    await open(session, [{ sessionUpdate: "pin_update", files: [{ path }] }], "main", plain, header);
    const { sessionId } = session;
    const prompt = async (promptId: string) => {
      const { seq } = await client.call("session/get", { sessionId });
      await client.call("session/prompt", { sessionId, promptId, prompt: say("go on") });
      await live.idle(seq);
      return JSON.stringify(live.model.chatRequests.at(-1)?.body);
    };
    expect((await prompt("one")).includes("the words of the file")).toBe(isSent);
    expect((await notices(session)).includes("1 pinned file is not sent")).toBe(!isSent);
    await client.call("command/run", { sessionId, name: "add", args: "pinned.txt" });
    expect(await prompt("two")).toContain("the words of the file");
  });
});

function keptProcesses(): void {
  it("changes no file that it names as the output of a process", async () => {
    const key = Object.values(live.model.environment).join("\n");
    const named = put(join(live.root, "notes.txt"), `mine ${key}\n`);
    put(`${named}.kept`, JSON.stringify({ groupId: process.pid, callId: "x", start: "" }));
    const before = everything();
    const session = forge();
    const running = { processId: "p1", command: "x", state: "running", kept: true, pid: process.pid } as const;
    await open(session, [{ sessionUpdate: "process_update", ...running, outputPath: named }]);
    await client.call("session/close", { sessionId: session.sessionId });
    expect(everything()).toEqual(before);
  });
}

function worktrees(): void {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-C", cwd, ...args], { encoding: "utf8" });
  function repository(path: string): void {
    put(join(path, "f.txt"), "f\n");
    git(path, "init", "-q", "-b", "main");
    git(path, "add", "-A");
    git(path, "commit", "-q", "-m", "first");
    git(path, "worktree", "add", "-q", "-b", "harness/feature", `${path}-feature`);
  }
  const record = ({ dir }: Forged, root: string) => put(join(dir, "worktrees", "feature.root"), `${root}\n`);

  it.each([
    ["another repository", (session: Forged) => void record(session, join(live.root, "victim"))],
    ["its own repository, at another place", (session: Forged) => void record(session, live.cwd)],
    [
      "a worktree behind a link",
      (session: Forged) => {
        record(session, live.cwd);
        symlinkSync(`${live.cwd}-feature`, join(session.dir, "worktrees", "feature"));
      },
    ],
  ])("with records of %s removes no worktree, branch or folder of the person", async (_name, make) => {
    for (const path of [live.cwd, join(live.root, "victim")]) repository(path);
    const session = forge();
    make(session);
    const before = everything();
    const running = { ...sampleFacts.subagent_update, childAgentId: "agent-1" };
    await open(session, [running]);
    await client.call("session/close", { sessionId: session.sessionId });
    await client.call("session/delete", { sessionId: session.sessionId, now: true });
    expect(everything()).toEqual(before);
    for (const path of [live.cwd, join(live.root, "victim")]) {
      expect(git(path, "branch", "--list")).toContain("harness/feature");
      expect(git(path, "worktree", "list").trim().split("\n")).toHaveLength(2);
    }
  });

  it("is left out where its agent's name could be a way to another folder, and that is said", async () => {
    const session = forge();
    const damage = await open(session, [
      { ...sampleFacts.subagent_update, childAgentId: "../../../evil", state: "running" },
    ]);
    expect(damage).toContain("1 damaged piece could not be read");
    expect(await open(forge(), [sampleFacts.notice], "../evil")).toContain("1 damaged piece could not be read");
  });
}

function interruptedTurns(): void {
  it("stores files, and changes none", async () => {
    const files = () => everything(live.cwd);
    const before = files();
    const session = forge();
    await open(session, [
      { sessionUpdate: "checkpoint", checkpointId: `${"0".repeat(12)}-${"../".repeat(10)}`, reason: "turn" },
    ]);
    await client.call("session/undo", { sessionId: session.sessionId });
    await client.call("session/close", { sessionId: session.sessionId });
    expect(files()).toEqual(before);
  });
}

describe("a line that is sealed as harness seals it, and fits no schema", () => {
  const { user_message, agent_message, process_update, queue_update, early_call, permission_requested } = sampleFacts;
  const { turn_changes, skill_update } = sampleFacts;
  it.each<[string, object]>([
    ["a message that is a number", { ...user_message, content: 5 }],
    ["a text that is a number", { ...user_message, content: [{ type: "text", text: 5 }] }],
    ["changes that are a number", { ...turn_changes, files: 5 }],
    ["changes that are nothing", { ...turn_changes, files: [null] }],
    ["a skill without its text", { ...skill_update, skill: { name: "x" } }],
    ["a message of nothing", { ...user_message, content: [null] }],
    ["a reply without parts", { ...agent_message, parts: undefined }],
    ["a reply of nothing", { ...agent_message, parts: [null] }],
    ["a process without a command", { ...process_update, command: null }],
    ["a queue that is a number", { ...queue_update, added: 5 }],
    ["an early call of nothing", { ...early_call, call: null }],
    ["a question of nothing", { ...permission_requested, permission: null }],
  ])("is left out, said, and the session goes on: %s", async (_name, update) => {
    const session = forge();
    const damage = await open(session, [update as Fact, hello], "main", sealed, {});
    expect(damage).toContain("1 damaged piece could not be read");
    const { sessionId } = session;
    await client.call("session/prompt", { sessionId, promptId: "p", prompt: say("go on") });
    await live.idle();
    const { events } = await client.call("session/history", { sessionId, limit: 100 });
    expect(events[1]?.update).toMatchObject({ sessionUpdate: "notice" });
    expect(live.model.chatRequests.length).toBeGreaterThan(0);
    await client.call("session/close", { sessionId });
    const { sessions } = await client.call("session/list", { cwd: live.cwd });
    expect(sessions.find((each) => each.sessionId === sessionId)?.damage).toContain("1 damaged piece");
  });
});

it("a session that could not be opened as it was asked for is opened by the next client that asks", async () => {
  const session = forge();
  await open(session, []);
  const { sessionId } = session;
  await client.call("session/close", { sessionId });
  await expect(client.call("session/resume", { sessionId, agent: "nobody" })).rejects.toThrow("nobody");
  await client.call("session/resume", { sessionId });
});

describe("a session that may come from elsewhere", () => {
  it.each([
    ["a folder that others may write", ({ dir }: Forged) => chmodSync(dir, 0o777), "can be written by other users"],
    [
      "a log that others may write",
      ({ dir }: Forged) => chmodSync(join(dir, "log.jsonl"), 0o666),
      "can be written by other users",
    ],
    [
      "texts that others may write",
      ({ dir }: Forged) => chmodSync(join(dir, "blobs"), 0o777),
      "can be written by other users",
    ],
    [
      "a log that is a link",
      ({ dir }: Forged) => {
        writeFileSync(join(dir, "real.jsonl"), readFileSync(join(dir, "log.jsonl")));
        rmSync(join(dir, "log.jsonl"));
        symlinkSync(join(dir, "real.jsonl"), join(dir, "log.jsonl"));
      },
      "is a link",
    ],
    ...["worktrees", "subagent", "subagent/agent-1", "subagent/agent-1/subagent", "hooks.log"].map(
      (name): [string, (session: Forged) => void, string] => [
        `${name}, which is a link`,
        ({ dir }) => {
          mkdirSync(dirname(join(dir, name)), { recursive: true, mode: 0o700 });
          symlinkSync(join(live.root, "elsewhere"), join(dir, name));
        },
        `${name} is a link`,
      ],
    ),
  ])("is not opened, and can be read: %s", async (_name, spoil, words) => {
    const session = forge();
    put(join(live.root, "elsewhere", "feature.root"), `${live.cwd}\n`);
    put(join(live.root, "elsewhere", "feature", "mine.txt"), "mine\n");
    // Work that its agent had begun is ended by facts in that agent's log.
    await open(session, [{ ...sampleFacts.subagent_update, childAgentId: "agent-1", state: "running" }]);
    await client.call("session/close", { sessionId: session.sessionId });
    spoil(session);
    const before = everything();
    const { sessionId } = session;
    await expect(client.call("session/resume", { sessionId, replay: { type: "none" } })).rejects.toThrow(words);
    const { events } = await client.call("session/history", { sessionId, limit: 10 });
    expect(events.length).toBeGreaterThan(0);
    await client.call("session/delete", { sessionId, now: true });
    expect(existsSync(session.dir)).toBe(false);
    expect(everything()).toEqual(before);
  });
});
