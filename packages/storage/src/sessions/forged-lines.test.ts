// What a log can hold that harness never wrote, and what power loss or a person can leave in the place of its files.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyUpdate, emptySession, type Fact, ROOT_AGENT, type StoredFact } from "@harness/protocol";
import { got, idle, sampleFacts, userSays } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "./jsonl-store.ts";
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
  const { log, loaded } = got(store().open(ID));
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
    // What that agent says from now on is not lost.
    expect(
      got(store().load(ID))
        .facts.map(({ agentId, seq }) => `${agentId} ${seq}`)
        .slice(4),
    ).toEqual(["main 5", "agent-1 6", "agent-2 7"]);
  });
});

describe("a log that power loss has left empty", () => {
  it("is listed by its meta.json with the reason, and can be opened and continued", async () => {
    const log = store().create({ sessionId: ID, cwd: "/project", createdAt: at, version: 1 });
    log.append({ agentId: ROOT_AGENT, at, update: userSays("hello there") });
    log.append({ agentId: ROOT_AGENT, at, update: idle });
    log.close();
    writeFileSync(path("log.jsonl"), "");
    const listed = async () => (await store().list({ cwd: "/project", limit: 9 })).sessions;
    const words = "its main log is empty, so the messages are lost";
    expect(await listed()).toMatchObject([
      { sessionId: ID, preview: "hello there", damage: expect.stringContaining(words) },
    ]);
    const { loaded } = goOn();
    expect(loaded).toMatchObject({ header: { cwd: "/project" }, facts: [], damage: expect.stringContaining(words) });
    expect(existsSync(path("log.jsonl"))).toBe(true);
    expect(await listed()).toHaveLength(1);
    const { added } = goOn(ROOT_AGENT);
    expect(added[0]?.seq).toBe(1);
    expect(readFileSync(path("log.jsonl"), "utf8")).toContain('"cwd":"/project"');
  });

  it("of a session without messages is nothing that anybody would miss", async () => {
    mkdirSync(path());
    writeFileSync(path("log.jsonl"), "");
    expect(await store().list({ limit: 9 })).toMatchObject({ sessions: [] });
  });
});
