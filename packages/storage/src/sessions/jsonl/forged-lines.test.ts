// Lines that harness never wrote, and what power loss or a user may leave in place of a session's files.
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { applyUpdate, emptySession, type Fact, ROOT_AGENT, type StoredFact } from "@harness/protocol";
import { got, idle, sampleFacts, userSays, wholeSession } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../session-store.ts";
import { encodeLine } from "./log-line.ts";

const clock = { now: () => Date.UTC(2026, 10, 21) };
const ID = "20261121-000000-test";
const at = "2026-11-21T00:00:00.000Z";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "forged-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const store = () => openStore(root, { clock });
const path = (...names: string[]) => join(root, ID, ...names);
const fact = (seq: number, update: Fact, agentId: string = ROOT_AGENT): StoredFact => ({ seq, at, agentId, update });

/** Writes a main log with these facts; `sealed`: with checksums, as harness writes them. */
function leave(facts: readonly StoredFact[], sealed: boolean): void {
  mkdirSync(path(), { recursive: true });
  const header = { type: "header", version: 1, sessionId: ID, cwd: "/project", createdAt: at };
  const lines = [header, ...facts].map((each) =>
    sealed ? encodeLine(each) : Buffer.from(`${JSON.stringify(each)}\n`),
  );
  writeFileSync(path("log.jsonl"), Buffer.concat(lines));
}

/** Opens it, and adds a fact of each of these agents. */
function goOn(...agentIds: string[]) {
  const { log, loaded: opened } = got(store().open(ID));
  const loaded = wholeSession(opened);
  const added = agentIds.map((agentId) => log.append({ agentId, at, update: idle }));
  log.close();
  return { loaded, added };
}

const subagent = (childAgentId: string): Fact => ({ ...sampleFacts.subagent_update, childAgentId, state: "running" });

describe.each([true, false])("a line about an agent that could lead to another folder, sealed: %s", (sealed) => {
  it.each(["../../evil", "..", "a/b", "/etc", "", "a\nb", ".hidden", "\u001b[2J"])(
    "%j is left out, and said",
    async (name) => {
      for (const forged of [fact(2, userSays("task"), name), fact(2, subagent(name))]) {
        leave([fact(1, userSays("hi")), forged, fact(3, userSays("more"))], sealed);
        const { loaded, added } = goOn(ROOT_AGENT);
        expect(loaded.facts.map(({ seq }) => seq)).toEqual([1, 2, 3]);
        expect(loaded.facts[1]?.update.sessionUpdate).toBe("notice");
        expect(loaded.damage).toContain("1 damaged piece could not be read");
        expect(added[0]?.seq).toBe(4);
        expect((await store().list({ limit: 1 })).sessions[0]?.damage).toContain("1 damaged piece");
        rmSync(path(), { recursive: true });
      }
    },
  );
});

it("a gap of many numbers is one fact, which the fold takes", () => {
  leave([fact(1, userSays("hi")), fact(900_000, userSays("more"))], true);
  const { loaded, added } = goOn(ROOT_AGENT);
  expect(loaded.facts).toHaveLength(3);
  expect(loaded.facts[1]).toMatchObject({ seq: 899_999, update: { missing: 899_998 } });
  const state = emptySession(ID);
  for (const each of loaded.facts) expect(applyUpdate(state, each)).toBe("applied");
  expect(loaded.damage).toContain("899998 entries are missing");
  expect(added[0]?.seq).toBe(900_001);
});

describe("something else in the place of the log of a subagent", () => {
  it.each<[string, (log: string) => unknown]>([
    ["a folder", (log) => mkdirSync(log)],
    ["a named pipe", (log) => execFileSync("mkfifo", [log])],
  ])("%s: the session is opened without that agent, and says so with its path", (_name, put) => {
    leave([fact(1, userSays("hi")), fact(2, subagent("agent-1"))], true);
    mkdirSync(path("subagent", "agent-2"), { recursive: true });
    writeFileSync(path("subagent", "agent-2", "log.jsonl"), encodeLine(fact(4, userSays("task"), "agent-2")));
    mkdirSync(path("subagent", "agent-1"), { recursive: true });
    const log = path("subagent", "agent-1", "log.jsonl");
    put(log);
    const { loaded } = goOn(ROOT_AGENT, "agent-1", "agent-2");
    expect(loaded.damage).toContain(`what a subagent did cannot be read from ${log} (`);
    expect(loaded.facts.map(({ agentId, seq }) => `${agentId} ${seq}`)).toEqual([
      "main 1",
      "main 2",
      "main 3",
      "agent-2 4",
    ]);
    // Later facts of that agent are not lost.
    expect(
      wholeSession(store().load(ID))
        .facts.map(({ agentId, seq }) => `${agentId} ${seq}`)
        .slice(4),
    ).toEqual(["main 5", "agent-1 6", "agent-2 7"]);
  });
});

describe("something else in the place of the folder of a subagent", () => {
  it.each<[string, string[], (path: string) => unknown]>([
    ["a file for the agent", ["subagent", "agent-1"], (place) => writeFileSync(place, "x")],
    ["a named pipe for the agent", ["subagent", "agent-1"], (place) => execFileSync("mkfifo", [place])],
    ["a file for all agents", ["subagent"], (place) => writeFileSync(place, "x")],
  ])("%s: what it says from now on is in the main log", (_name, place, put) => {
    leave([fact(1, userSays("hi")), fact(2, subagent("agent-1"))], true);
    mkdirSync(dirname(path(...place)), { recursive: true });
    put(path(...place));
    expect(goOn("agent-1", "agent-1", ROOT_AGENT).added).toHaveLength(3);
    const { facts } = wholeSession(store().load(ID));
    expect(facts.map(({ agentId }) => agentId)).toEqual(["main", "main", "agent-1", "agent-1", "main"]);
  });
});

it("a damaged log is opened also where its damaged bytes cannot be written beside it", () => {
  leave([fact(1, userSays("hi"))], true);
  appendFileSync(path("log.jsonl"), "garbage\n");
  mkdirSync(path("log.damaged"));
  expect(goOn(ROOT_AGENT).loaded.damage).toContain("1 damaged piece could not be read");
});

describe("a session that power loss, or a person, has left incomplete", () => {
  /** A session with two messages and an up-to-date `meta.json`. */
  function begun(): Buffer {
    const log = store().create({ sessionId: ID, cwd: "/project", createdAt: at, version: 1 });
    for (const text of ["hello there", "and more"]) {
      log.append({ agentId: ROOT_AGENT, at, update: userSays(text) });
      log.append({ agentId: ROOT_AGENT, at, update: idle });
    }
    log.close();
    return readFileSync(path("log.jsonl"));
  }
  const listed = async () => (await store().list({ cwd: "/project", limit: 9 })).sessions;

  it.each<[string, (whole: Buffer) => Buffer | string | undefined]>([
    ["nothing", () => ""],
    ["no file", () => undefined],
    ["blanks", () => "\n \n"],
    ["one byte", () => "{"],
    ["a part of its first line", (whole) => whole.subarray(0, 40)],
    ["its first line", (whole) => whole.subarray(0, whole.indexOf("\n") + 1)],
    ["zeros of the same length", (whole) => Buffer.alloc(whole.length)],
  ])(
    "with %s in its main log is listed by its meta.json with the reason, and can be continued",
    async (_name, make) => {
      const left = make(begun());
      if (left === undefined) rmSync(path("log.jsonl"));
      else writeFileSync(path("log.jsonl"), left);
      const words = "nothing of its main log is left, so its messages are lost";
      const summary = { sessionId: ID, preview: "hello there", turns: 2, damage: expect.stringContaining(words) };
      expect(await listed()).toMatchObject([summary]);
      const { loaded } = goOn();
      expect(loaded).toMatchObject({ header: { cwd: "/project" }, facts: [], damage: expect.stringContaining(words) });
      expect(await listed()).toHaveLength(1);
      expect(goOn(ROOT_AGENT).added[0]?.seq).toBe(1);
      expect(await listed()).toHaveLength(1);
      expect(wholeSession(store().load(ID)).header.cwd).toBe("/project");
    },
  );

  it("says that the end of its main log is lost, also once it has gone on", async () => {
    const whole = begun();
    const lines = whole.toString().split("\n");
    writeFileSync(path("log.jsonl"), `${lines.slice(0, 3).join("\n")}\n`);
    const words = "the end of its main log is lost";
    expect(await listed()).toMatchObject([{ preview: "hello there", damage: expect.stringContaining(words) }]);
    expect(wholeSession(store().load(ID)).damage).toContain(words);
    const { loaded, added } = goOn(ROOT_AGENT);
    expect(loaded.damage).toContain(words);
    expect(added[0]?.seq).toBe(3);
    expect((await listed())[0]?.damage).toContain(words);
  });

  it("without messages is nothing that anybody would miss", async () => {
    mkdirSync(path());
    writeFileSync(path("log.jsonl"), "");
    expect(await store().list({ limit: 9 })).toMatchObject({ sessions: [] });
  });

  it("and whose meta.json is gone as well is named as before", async () => {
    begun();
    for (const name of ["log.jsonl", "meta.json"]) rmSync(path(name));
    expect(await store().list({ limit: 9 })).toMatchObject({ sessions: [] });
    expect(store().open(ID)).toMatchObject({ kind: "not_found" });
  });

  it("has the id of its folder, though it was copied from another", async () => {
    begun();
    const copy = "20261121-000000-copy";
    cpSync(path(), join(root, copy), { recursive: true, preserveTimestamps: true });
    expect((await listed()).map(({ sessionId }) => sessionId).sort()).toEqual([copy, ID].sort());
    appendFileSync(join(root, copy, "log.jsonl"), encodeLine(fact(5, userSays("only here"))));
    expect((await listed()).map(({ sessionId, turns }) => `${sessionId} ${turns}`).sort()).toEqual(
      [`${copy} 3`, `${ID} 2`].sort(),
    );
  });
});

it("a main log that is not a file is named by its own path", () => {
  leave([fact(1, userSays("hi"))], true);
  rmSync(path("log.jsonl"));
  execFileSync("mkfifo", [path("log.jsonl")]);
  for (const answer of [store().open(ID), store().load(ID)])
    expect(answer).toMatchObject({ kind: "failed", problem: expect.stringContaining(path("log.jsonl")) });
});

describe("facts that fit no schema, though their lines are sealed", () => {
  const odd = { sessionUpdate: "user_message", content: 5 } as unknown as Fact;
  const copyOf = (id: string) => cpSync(path(), join(root, id), { recursive: true });
  function begun(): void {
    const log = store().create({ sessionId: ID, cwd: "/project", createdAt: at, version: 1 });
    log.append({ agentId: ROOT_AGENT, at, update: userSays("hello") });
    log.close();
    appendFileSync(path("log.jsonl"), encodeLine(fact(2, odd)));
  }

  it("are read of a session that was begun here, whose facts were checked as they were written", () => {
    begun();
    expect(wholeSession(store().load(ID)).damage).toBeUndefined();
  });

  it.each<[string, () => string]>([
    ["of another session under its name", () => "20261121-000000-copy"],
    [
      "with a different key",
      () => {
        writeFileSync(join(root, ".key"), Buffer.alloc(32), { mode: 0o600 });
        return ID;
      },
    ],
    [
      "where others may read the key",
      () => {
        chmodSync(join(root, ".key"), 0o644);
        return ID;
      },
    ],
    [
      "where the key is gone",
      () => {
        rmSync(join(root, ".key"));
        return ID;
      },
    ],
    [
      "where its first line says nothing of who began it",
      () => {
        writeFileSync(path("log.jsonl"), readFileSync(path("log.jsonl"), "utf8").split("\n").slice(1).join("\n"));
        return ID;
      },
    ],
  ])("are left out and said %s", (_name, change) => {
    begun();
    const id = change();
    if (id !== ID) copyOf(id);
    expect(got(store().load(id)).damage).toContain("1 damaged piece could not be read");
  });
});
