import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { factsOf } from "@harness/core";
import { applyUpdate, emptySession, ROOT_AGENT, type StoredFact } from "@harness/protocol";
import { appendAll, got, idle, sample, sampleFacts, userSays, wholeSession } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../session-store.ts";
import { encodeLine } from "./log-line.ts";

const AT = Date.UTC(2026, 10, 21);
const clock = { now: () => AT };
const ID = "20261121-000000-test";
const LF = 10;

let root = "";
const store = () => openStore(root, { clock });
const logPath = (...agent: string[]) => join(root, ID, ...agent, "log.jsonl");

/** Writes a session with these facts and returns them with the bytes of its log. */
function record(facts = [userSays("hello"), ...Object.values(sampleFacts).slice(1), idle]) {
  const log = store().create({ sessionId: ID, cwd: "/project", createdAt: new Date(AT).toISOString(), version: 1 });
  const stored = appendAll(log, facts, AT);
  log.close();
  return { stored, bytes: readFileSync(logPath()) };
}

/** Replaces the bytes of the log, as a crash could leave them. */
function leave(bytes: Uint8Array | string): void {
  mkdirSync(join(root, ID), { recursive: true });
  // Overwrites the log itself: creating a file costs far more, and this runs a thousand times.
  for (const name of readdirSync(join(root, ID))) {
    if (name !== "log.jsonl") rmSync(join(root, ID, name), { recursive: true });
  }
  writeFileSync(logPath(), bytes);
}

const load = () => wholeSession(store().load(ID));

/** Opens, appends one fact and closes; the files on disk must then be complete. */
function reopen() {
  const { log, loaded: opened } = got(store().open(ID));
  const loaded = wholeSession(opened);
  const added = appendAll(log, [idle], AT)[0] as StoredFact;
  log.close();
  return { loaded, added };
}

/** The fold must accept the facts without a gap, whatever was lost. */
function foldsWithoutGap(facts: StoredFact[]): boolean {
  const state = emptySession(ID);
  return facts.every((fact) => applyUpdate(state, { sessionId: ID, ...fact }) === "applied");
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "recovery-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("a log cut off by a crash", () => {
  it("returns every complete line at every length, reports no damage, and can be continued", () => {
    const { stored, bytes } = record([userSays("hello 🙂"), sampleFacts.agent_message, idle]);
    const lengths = Array.from({ length: bytes.length + 1 }, (_, length) => length);
    const ends = lengths.filter((length) => bytes[length] === LF || bytes[length - 1] === LF);
    for (const length of new Set([...ends, ...sample(lengths, 120)])) {
      const cut = bytes.subarray(0, length);
      // A line that only lacks its LF is complete.
      const complete = cut
        .toString("latin1")
        .split("\n")
        .filter((line) => /"crc":"[0-9a-f]{8}"\}$/.test(line)).length;
      const kept = stored.slice(0, Math.max(0, complete - 1));
      leave(cut);
      expect(load(), `cut to ${length} bytes`).toMatchObject({ facts: kept });
      const { loaded, added } = reopen();
      expect(loaded.damage).toBeUndefined();
      expect(added.seq).toBe(kept.length + 1);
      // Without the first message there is nothing left to miss.
      if (kept.length === 0) expect(existsSync(logPath())).toBe(false);
      else expect(load()).toMatchObject({ facts: [...kept, added] });
    }
  });

  it("is recovered in the same way when it belongs to a child", () => {
    const log = store().create({ sessionId: ID, cwd: "/project", createdAt: new Date(AT).toISOString(), version: 1 });
    appendAll(log, [userSays("hi")], AT);
    log.addAgent("child", ROOT_AGENT);
    const at = new Date(AT).toISOString();
    log.append({ agentId: "child", at, update: userSays("task") });
    log.append({ agentId: "child", at, update: idle });
    log.close();
    const child = logPath("subagent", "child");
    writeFileSync(child, readFileSync(child).subarray(0, -5));
    const { loaded, added } = reopen();
    expect(loaded.facts.map((fact) => fact.seq)).toEqual([1, 2]);
    expect(loaded.damage).toBeUndefined();
    expect(added.seq).toBe(3);
    expect(readFileSync(child).at(-1)).toBe(LF);
  });
});

describe("a log damaged in the middle", () => {
  it("keeps the lines on both sides of garbage at any place, and reports the damage", () => {
    const { stored, bytes } = record();
    const header = bytes.indexOf(LF) + 1;
    for (const fill of [0x00, 0xff, 0x7b]) {
      const configPaths = Array.from(
        { length: Math.ceil((bytes.length - 41 - header) / 97) },
        (_, n) => header + 97 * n,
      );
      for (const from of sample(configPaths, 30)) {
        const broken = Buffer.from(bytes).fill(fill, from, from + 40);
        const first = bytes.subarray(0, from + 1).filter((byte) => byte === LF).length - 1;
        const last = first + bytes.subarray(from, from + 40).filter((byte) => byte === LF).length;
        leave(broken);
        const { facts, damage } = load();
        expect(damage, `${fill} from ${from}`).toMatch(/could not be read/);
        expect(foldsWithoutGap(facts)).toBe(true);
        for (const fact of stored.filter((_, index) => index < first || index > last)) {
          expect(facts.find(({ seq }) => seq === fact.seq)).toEqual(fact);
        }
      }
    }
  });

  it("shows one notice in place of missing entries, and the same one at every load", () => {
    const { bytes, stored } = record();
    const lines = bytes.toString("utf8").split("\n");
    lines.splice(4, 3, "rubbish");
    leave(lines.join("\n"));
    const { facts, damage } = load();
    expect(facts.map((fact) => fact.seq)).toEqual(stored.map(({ seq }) => seq).filter((seq) => seq !== 4 && seq !== 5));
    expect(foldsWithoutGap(facts)).toBe(true);
    const notices = facts.filter(
      (fact) => fact.update.sessionUpdate === "notice" && fact.update.severity === "warning",
    );
    expect(notices).toMatchObject([
      { seq: 6, update: { missing: 3, title: "Entries 4 to 6 of this session could not be read." } },
    ]);
    expect(damage).toMatch(/1 damaged piece could not be read, 3 entries are missing/);
    expect(load().facts).toEqual(facts);
  });

  it("keeps its bytes when it is continued, and gets a copy of the damaged ones beside it", async () => {
    const { bytes } = record();
    const lines = bytes.toString("utf8").split("\n");
    lines[3] = "half a li";
    leave(lines.join("\n"));
    const { loaded, added } = reopen();
    expect(readFileSync(logPath(), "utf8").startsWith(lines.join("\n"))).toBe(true);
    expect(readFileSync(join(root, ID, "log.damaged"), "utf8")).toBe("half a li\n");
    expect(load().facts).toEqual([...loaded.facts, added]);
    expect((await store().list({ limit: 1 })).sessions[0]?.damage).toMatch(/damaged/);
  });

  it("is read even where two lines are fused, or a line follows a torn one directly", () => {
    const { stored, bytes } = record();
    const lines = bytes.toString("utf8").trimEnd().split("\n");
    for (let index = 0; index + 1 < lines.length; index += 1) {
      leave(`${lines.toSpliced(index, 2, `${lines[index]}${lines[index + 1]}`).join("\n")}\n`);
      expect(load(), `line ${index} fused`).toMatchObject({ facts: stored, header: { cwd: "/project" } });
      expect(load().damage).toBeUndefined();
    }
    leave(`${lines.toSpliced(3, 2, `${lines[3]?.slice(0, 25)}${lines[4]}`).join("\n")}\n`);
    expect(load().facts[3]).toEqual(stored[3]);
    expect(load().facts[2]?.update.sessionUpdate).toBe("notice");
    expect(load().damage).toMatch(/1 damaged piece/);
  });

  it("is reported for a changed byte that leaves valid JSON", () => {
    const { bytes } = record();
    leave(bytes.toString("utf8").replace("hello", "jello"));
    expect(load().facts[0]?.update.sessionUpdate).toBe("notice");
    expect(load().damage).toMatch(/damaged/);
  });

  it("keeps a tail that no interrupted write of harness can have left", () => {
    const { stored, bytes } = record();
    for (const tail of ["\0\0\0\0\0\0", "garbage", '{"seq":99,"at"\0']) {
      leave(Buffer.concat([bytes, Buffer.from(tail)]));
      expect(load().facts).toEqual(stored);
      const { loaded, added } = reopen();
      expect(loaded.damage).toMatch(/1 damaged piece/);
      expect(readFileSync(logPath(), "latin1")).toContain(`${tail}\n`);
      expect(load().facts).toEqual([...stored, added]);
    }
  });

  it("is read with handwritten lines that have no checksum, and with CRLF or blank lines", () => {
    const at = new Date(AT).toISOString();
    const line = (seq: number, update: object) => JSON.stringify({ seq, at, agentId: ROOT_AGENT, update });
    const header = JSON.stringify({ type: "header", version: 1, sessionId: ID, cwd: "/project", createdAt: at });
    leave(
      [header, line(1, userSays("hi")), "", line(2, { sessionUpdate: "notice", title: 5 }), line(3, idle)].join("\r\n"),
    );
    const { facts, damage } = load();
    expect(facts.map((fact) => fact.update.sessionUpdate)).toEqual(["user_message", "notice", "state_update"]);
    expect(facts[1]?.update).toMatchObject({ severity: "warning" });
    expect(damage).toMatch(/1 damaged piece could not be read, 1 entry is missing/);
    expect(reopen().added.seq).toBe(4);
    expect(load().facts).toHaveLength(4);
  });

  it("is read without a second entry of the same number, and without a number far beyond all others", () => {
    const { stored, bytes } = record([userSays("hi"), idle]);
    const at = new Date(AT).toISOString();
    const odd = [2, 2 ** 52].map((seq) => JSON.stringify({ seq, at, agentId: ROOT_AGENT, update: userSays("other") }));
    leave(`${bytes}${odd.join("\n")}\n${bytes}`);
    expect(load().facts).toEqual(stored);
    expect(load().damage).toMatch(/2 entries with a wrong number were left out/);
  });

  it("fills the numbers of a child whose folder was removed", () => {
    const log = store().create({ sessionId: ID, cwd: "/project", createdAt: new Date(AT).toISOString(), version: 1 });
    appendAll(log, [userSays("hi")], AT);
    log.addAgent("child", ROOT_AGENT);
    for (let n = 0; n < 3; n += 1) log.append({ agentId: "child", at: new Date(AT).toISOString(), update: idle });
    appendAll(log, [idle], AT);
    log.close();
    rmSync(join(root, ID, "subagent"), { recursive: true });
    expect(foldsWithoutGap(load().facts)).toBe(true);
    expect(load().damage).toMatch(/3 entries are missing/);
    expect(reopen().added.seq).toBe(6);
  });
});

describe("a log without its beginning", () => {
  it("starts again when the file is empty", () => {
    leave("");
    expect(load()).toMatchObject({ header: { sessionId: ID, version: 1 }, facts: [] });
    expect(load().damage).toBeUndefined();
    const { log } = got(store().open(ID));
    const [added] = appendAll(log, [userSays("hi")], AT);
    log.close();
    expect(load().facts).toEqual([added]);
    expect(readFileSync(logPath(), "utf8")).toMatch(/^\{"type":"header"/);
  });

  it("is a session without facts when only the header is left", () => {
    const { bytes } = record();
    leave(bytes.subarray(0, bytes.indexOf(LF) + 1));
    expect(load()).toEqual({ header: expect.objectContaining({ cwd: "/project" }), facts: [] });
  });

  it("is read without a header, with the folder from meta.json if there is one", () => {
    const { bytes, stored } = record();
    const meta = readFileSync(join(root, ID, "meta.json"));
    leave(bytes.subarray(bytes.indexOf(LF) + 1));
    // One of the facts says where the session was moved.
    expect(load()).toMatchObject({ header: { cwd: "/project", createdAt: stored[0]?.at }, facts: stored });
    const moved = stored.findIndex(({ update }) => update.sessionUpdate === "folder_update");
    leave(
      bytes
        .toString("utf8")
        .split("\n")
        .slice(1, moved + 1)
        .join("\n"),
    );
    expect(load()).toMatchObject({ header: { cwd: "" }, facts: stored.slice(0, moved) });
    leave(bytes.subarray(bytes.indexOf(LF) + 1));
    expect(load().damage).toMatch(/first line, with date and folder, is lost/);
    writeFileSync(join(root, ID, "meta.json"), meta);
    expect(load().header.cwd).toBe("/project");
    expect(reopen().added.seq).toBe(stored.length + 1);
  });

  it("is never removed as empty when it is damaged", () => {
    leave("rubbish\nmore rubbish\n");
    const { log } = got(store().open(ID));
    log.close();
    expect(readFileSync(logPath(), "utf8")).toBe("rubbish\nmore rubbish\n");
  });
});

describe("a log of a newer version", () => {
  it("can be read but not written", () => {
    const { bytes, stored } = record();
    const [, ...rest] = bytes.toString("utf8").split("\n");
    const at = new Date(AT).toISOString();
    leave(
      [JSON.stringify({ type: "header", version: 2, sessionId: ID, cwd: "/p", createdAt: at }), ...rest].join("\n"),
    );
    const before = readFileSync(logPath());
    expect(store().open(ID)).toMatchObject({ kind: "newer", problem: expect.stringContaining("update harness") });
    expect(readFileSync(logPath())).toEqual(before);
    expect(existsSync(join(root, ID, "lock"))).toBe(false);
    expect(load()).toMatchObject({ header: { version: 2 }, facts: stored });
  });
});

describe("a log that is being written", () => {
  it("is read up to the last complete line", () => {
    const { stored } = record();
    appendFileSync(logPath(), '{"seq":99,"at":"2026');
    const size = statSync(logPath()).size;
    expect(load()).toEqual({ header: expect.anything(), facts: stored });
    expect(statSync(logPath()).size).toBe(size);
  });
});

describe("a log that changes while somebody reads it", () => {
  it.each<[string, (bytes: Buffer, line: { start: number; end: number }) => Buffer]>([
    ["bytes in the middle", (bytes, { start, end }) => bytes.fill("x", start + 1, end - 1)],
    [
      "a line that is cut out",
      (bytes, { start, end }) => Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]),
    ],
    [
      "a sealed line that is no fact",
      (bytes, { start, end }) =>
        Buffer.concat([bytes.subarray(0, start), encodeLine({ seq: 2, some: "thing" }), bytes.subarray(end)]),
    ],
  ])("is looked through again: %s", (_name, change) => {
    const { stored, bytes } = record();
    const { log } = got(store().open(ID));
    expect(log.read({ limit: 3 }).facts).toEqual(stored.slice(0, 3));
    const start = bytes.indexOf('{"seq":2,');
    writeFileSync(logPath(), change(Buffer.from(bytes), { start, end: bytes.indexOf(LF, start) + 1 }));
    const facts = [...factsOf(log)];
    expect(facts[1]?.update).toMatchObject({ title: "Entry 2 of this session could not be read." });
    expect(facts.filter(({ seq }) => seq !== 2)).toEqual(stored.filter(({ seq }) => seq !== 2));
    expect(foldsWithoutGap(facts)).toBe(true);
    log.close();
  });
});
