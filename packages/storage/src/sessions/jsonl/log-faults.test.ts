import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LogWriteError, type SessionLog } from "@harness/core";
import { ROOT_AGENT } from "@harness/protocol";
import { appendAll, idle, sampleFacts, userSays, wholeSession } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Disk, realDisk } from "../disk.ts";
import { openStore } from "../session-store.ts";

const AT = Date.UTC(2026, 10, 21);
const ID = "20261121-000000-test";

let root = "";
const logPath = () => join(root, ID, "log.jsonl");

function begin(disk: Partial<Disk>): SessionLog {
  const store = openStore(root, { clock: { now: () => AT }, disk: { ...realDisk, ...disk } });
  return store.create({ sessionId: ID, cwd: "/project", createdAt: new Date(AT).toISOString(), version: 1 });
}

const stored = () => wholeSession(openStore(root, { clock: { now: () => AT } }).load(ID));

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: as injected`), { code });
}

/** A call of the disk that fails while `code` is set. */
function faulty<A extends unknown[], R>(call: (...args: A) => R) {
  const fault = {
    code: "",
    call: (...args: A): R => {
      if (fault.code) throw systemError(fault.code);
      return call(...args);
    },
  };
  return fault;
}

function failureOf(work: () => unknown): LogWriteError {
  try {
    work();
  } catch (error) {
    if (error instanceof LogWriteError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "faults-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("the session log on a failing disk", () => {
  const sentences: Record<string, RegExp> = {
    ENOSPC: /Could not save the session: the disk is full \(ENOSPC, .*\)\. Free some space/,
    EDQUOT: /quota is used up .* Free some space/,
    EIO: /input\/output error .* Check the disk, or set HARNESS_HOME/,
    EROFS: /read-only .* Mount it writable/,
    EACCES: /permission denied .* Change the permissions/,
    EMFILE: /too many files are open .*ulimit -n/,
    EWHATEVER: /EWHATEVER: as injected/,
  };

  for (const [code, sentence] of Object.entries(sentences)) {
    it(`explains ${code}, keeps the file valid, and continues afterwards`, () => {
      const write = faulty(realDisk.write);
      const log = begin({ write: write.call });
      appendAll(log, [userSays("hi")], AT);
      const before = readFileSync(logPath());
      write.code = code;
      const error = failureOf(() => appendAll(log, [idle], AT));
      expect(error.message).toMatch(sentence);
      expect(error.message).toContain(root);
      expect(readFileSync(logPath())).toEqual(before);
      write.code = "";
      expect(appendAll(log, [idle], AT)[0]?.seq).toBe(2);
      expect(stored().facts).toHaveLength(2);
      log.close();
    });
  }

  it("fails at the first fact when its file cannot be opened or its folder cannot be created", () => {
    const open = faulty(realDisk.open);
    const log = begin({ open: open.call });
    open.code = "EMFILE";
    expect(failureOf(() => appendAll(log, [userSays("hi")], AT)).message).toMatch(/EMFILE/);
    open.code = "";
    expect(appendAll(log, [userSays("hi")], AT)[0]?.seq).toBe(1);
    log.close();

    writeFileSync(join(root, "file"), "");
    const below = openStore(join(root, "file", "conversations"), { clock: { now: () => AT } });
    const nowhere = below.create({ sessionId: ID, cwd: "/", createdAt: "", version: 1 });
    expect(failureOf(() => appendAll(nowhere, [userSays("hi")], AT)).message).toMatch(/ENOTDIR/);
    expect(failureOf(() => nowhere.newBlob(".txt")).message).toMatch(/Could not make a file for a long output/);
    nowhere.close();
  });

  it.skipIf(!existsSync("/dev/full"))("reports a real full device", () => {
    const log = begin({ open: () => openSync("/dev/full", "a") });
    expect(failureOf(() => appendAll(log, [userSays("hi")], AT)).message).toMatch(/the disk is full/);
    expect(failureOf(() => appendAll(log, [userSays("hi")], AT)).message).toMatch(/the disk is full/);
    log.close();
  });

  it("stores nothing when the sync fails", () => {
    const sync = faulty(realDisk.sync);
    const log = begin({ sync: sync.call });
    appendAll(log, [userSays("hi")], AT);
    sync.code = "EIO";
    expect(failureOf(() => appendAll(log, [idle], AT)).message).toMatch(/EIO/);
    expect(stored().facts).toHaveLength(1);
    sync.code = "";
    expect(appendAll(log, [idle], AT)[0]?.seq).toBe(2);
    log.close();
    expect(stored().facts).toHaveLength(2);
  });

  it("never reads a partial line as an entry, even when it cannot be cut off", () => {
    let left = Number.POSITIVE_INFINITY;
    const truncate = faulty(realDisk.truncate);
    const write: Disk["write"] = (fd, bytes, offset, length) => {
      if (left <= 0) throw systemError("ENOSPC");
      const written = realDisk.write(fd, bytes, offset, Math.min(length, left));
      left -= written;
      return written;
    };
    const log = begin({ write, truncate: truncate.call });
    appendAll(log, [userSays("hi")], AT);
    left = 30;
    truncate.code = "EIO";
    expect(failureOf(() => appendAll(log, [idle], AT)).message).toMatch(/ENOSPC/);
    expect(stored().facts).toHaveLength(1);
    expect(failureOf(() => appendAll(log, [idle], AT)).message).toMatch(/EIO/);
    left = Number.POSITIVE_INFINITY;
    truncate.code = "";
    expect(appendAll(log, [idle, userSays("on")], AT).map((fact) => fact.seq)).toEqual([2, 3]);
    log.close();
    expect(stored()).toMatchObject({ facts: [{ seq: 1 }, { seq: 2 }, { seq: 3 }] });
    expect(stored().damage).toBeUndefined();
  });

  it("survives a disk that accepts only small pieces of a line, or none", () => {
    let piece = 7;
    const write: Disk["write"] = (fd, bytes, offset, length) =>
      realDisk.write(fd, bytes, offset, Math.min(length, piece));
    const log = begin({ write });
    const facts = appendAll(log, [userSays("hello"), ...Object.values(sampleFacts)], AT);
    expect(stored().facts).toEqual(facts);
    piece = 0;
    expect(failureOf(() => appendAll(log, [idle], AT)).message).toMatch(/wrote nothing and gave no reason/);
    log.close();
    expect(stored().facts).toEqual(facts);
  });
});

describe("the session log whose folder is removed during the session", () => {
  it("reports the removed folder once, and stores what follows in a new one", () => {
    const log = begin({});
    appendAll(log, [userSays("hi"), idle], AT);
    rmSync(join(root, ID), { recursive: true });
    expect(failureOf(() => appendAll(log, [userSays("more")], AT)).message).toMatch(/was removed while/);
    expect(appendAll(log, [userSays("more")], AT)[0]?.seq).toBe(3);
    log.close();
    expect(stored()).toMatchObject({
      header: { cwd: "/project" },
      damage: expect.stringContaining("2 entries are missing"),
    });
  });
});

describe("the sync of the session log", () => {
  it("happens before a tool that may change something runs, and whenever an agent comes to rest, for all agents", () => {
    const synced: number[] = [];
    const log = begin({ sync: (fd) => synced.push(fd) });
    const syncsOf = (agentId: string, update: Parameters<SessionLog["append"]>[0]["update"]): number => {
      synced.length = 0;
      log.append({ agentId, at: new Date(AT).toISOString(), update });
      return synced.length;
    };
    expect(syncsOf(ROOT_AGENT, userSays("hi"))).toBe(1);
    expect(syncsOf(ROOT_AGENT, { sessionUpdate: "state_update", state: "running" })).toBe(0);
    expect(syncsOf(ROOT_AGENT, { ...sampleFacts.tool_call_update, status: "pending", outcome: undefined })).toBe(0);
    const begun = { ...sampleFacts.tool_call_update, status: "in_progress" as const, outcome: undefined };
    expect(syncsOf(ROOT_AGENT, begun)).toBe(1);
    expect(syncsOf(ROOT_AGENT, { ...begun, looks: true })).toBe(0);
    expect(syncsOf(ROOT_AGENT, { ...begun, changesNothing: true })).toBe(0);
    expect(syncsOf(ROOT_AGENT, sampleFacts.tool_call_update)).toBe(0);
    const said = { ...sampleFacts.agent_message, parts: [{ type: "text" as const, text: "Done." }] };
    // It reaches the disk with the end of the turn, the start of a call, or a question.
    expect(syncsOf(ROOT_AGENT, said)).toBe(0);
    expect(syncsOf(ROOT_AGENT, { sessionUpdate: "state_update", state: "waiting" })).toBe(1);
    expect(syncsOf(ROOT_AGENT, sampleFacts.permission_requested)).toBe(1);
    expect(syncsOf(ROOT_AGENT, sampleFacts.permission_resolved)).toBe(1);
    // Files are written after the fact, by this process or the next one.
    const [staged] = sampleFacts.staged_update.files;
    expect(syncsOf(ROOT_AGENT, sampleFacts.staged_update)).toBe(0);
    const taken = staged ? [{ ...staged, standing: "taken" as const }] : [];
    expect(syncsOf(ROOT_AGENT, { ...sampleFacts.staged_update, files: taken })).toBe(1);
    log.addAgent("child", ROOT_AGENT);
    expect(syncsOf("child", sampleFacts.notice)).toBe(0);
    // The child's fact has the lower number and must not be the one that is lost.
    expect(syncsOf(ROOT_AGENT, idle)).toBe(2);
    expect(syncsOf(ROOT_AGENT, idle)).toBe(1);
    log.close();
  });

  it("costs the same whatever the length of the log", () => {
    let bytes = 0;
    const write: Disk["write"] = (fd, buffer, offset, length) => {
      bytes += length;
      return realDisk.write(fd, buffer, offset, length);
    };
    const log = begin({ write });
    const costs = Array.from({ length: 300 }, () => {
      bytes = 0;
      appendAll(log, [userSays("the same")], AT);
      return bytes;
    });
    expect(Number(costs.at(-1)) - Number(costs[1])).toBe("300".length - "2".length);
    log.close();
  });
});
