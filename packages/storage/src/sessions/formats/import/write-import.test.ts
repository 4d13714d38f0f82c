import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { factsOf, LogWriteError } from "@harness/core";
import { appendAll, userSays } from "@harness/testkit";
import { afterAll, describe, expect, it } from "vitest";
import { realDisk } from "../../disk.ts";
import { openStore } from "../../session-store.ts";
import type { ImportedMessage } from "./import-draft.ts";
import type { TakenSession } from "./import-formats.ts";
import { writeImport } from "./write-import.ts";

const root = mkdtempSync(join(tmpdir(), "written-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const AT = "2026-11-21T13:30:22.000Z";
const said = (by: "person" | "agent", text: string) => ({
  by,
  at: AT,
  model: undefined,
  content: [{ type: "text" as const, text }],
});
const takenOf = (messages: readonly ImportedMessage[]): TakenSession => ({
  ...{ from: "Claude Code", title: "The look", cwd: undefined, left: new Map(), shortened: 0, startedAt: AT },
  messageCount: messages.length,
  forEachMessage: (visit) => messages.forEach(visit),
});
const taken = takenOf([said("person", "one"), said("agent", "two"), said("person", "three")]);
const clock = { now: () => Date.parse(AT) };

describe("an imported conversation", () => {
  it("has no price that nobody knows", async () => {
    const store = openStore(join(root, "whole"), { clock });
    const { sessionId } = await writeImport(store, taken, { cwd: "/project", now: AT });
    const loaded = store.load(sessionId);
    if ("problem" in loaded) throw new Error(loaded.problem);
    const replies = [...factsOf(loaded, { kinds: ["agent_message"] })];
    expect(replies).toHaveLength(1);
    expect(replies[0]?.update).not.toHaveProperty("cost");
  });

  it("has its saved texts on the disk before its log is", () => {
    const opened = new Map<number, string>();
    const synced: string[] = [];
    const disk = {
      ...realDisk,
      open(path: string) {
        const fd = realDisk.open(path);
        opened.set(fd, path);
        return fd;
      },
      sync(fd: number) {
        synced.push(opened.get(fd) ?? "");
        realDisk.sync(fd);
      },
    };
    const store = openStore(join(root, "texts"), { clock, disk });
    const log = store.create({
      ...{ sessionId: store.newSessionId(), cwd: "/project", createdAt: AT, version: 1, client: "import" },
    });
    const path = log.saveText("a long output");
    const other = log.newBlob(".txt");
    appendAll(log, [userSays(`saved to ${path}`)], Date.parse(AT));
    log.close();
    expect(synced.filter((each) => each !== log.location?.log)).toEqual([path, other]);
    expect(synced.at(-1)).toBe(log.location?.log);
  });

  it("is on the disk when it is there, and is not brought there message by message", async () => {
    const done = { sync: 0, append: 0 };
    const disk = {
      ...realDisk,
      write: (...args: Parameters<typeof realDisk.write>) => {
        done.append += 1;
        return realDisk.write(...args);
      },
      sync: (fd: number) => {
        done.sync += 1;
        realDisk.sync(fd);
      },
    };
    const store = openStore(join(root, "quick"), { clock, disk });
    const messages = Array.from({ length: 50 }, (_, at) => said(at % 2 === 0 ? "person" : "agent", `m${at}`));
    await writeImport(store, takenOf(messages), { cwd: "/project", now: AT });
    expect(done.append).toBeGreaterThan(50);
    expect(done.sync).toBeGreaterThan(0);
    expect(done.sync).toBeLessThan(5);
  });

  it("that cannot be written to its end leaves no session", async () => {
    const folder = join(root, "torn");
    const store = openStore(folder, { clock });
    let count = 0;
    const full = {
      ...{ newSessionId: () => store.newSessionId(), remove: (id: string) => store.remove(id) },
      ...{ folderOf: (id: string) => store.folderOf(id), ids: () => store.ids(), bin: store.bin },
      create(...args: Parameters<typeof store.create>) {
        const log = store.create(...args);
        const append = log.append.bind(log);
        log.append = (entry) => {
          count += 1;
          if (count > 5) throw new LogWriteError("The disk is full.");
          return append(entry);
        };
        return log;
      },
    };
    const target = { cwd: "/project", now: AT };
    await expect(writeImport({ ...store, ...full } as typeof store, taken, target)).rejects.toThrow("disk is full");
    expect(count).toBe(6);
    expect(readdirSync(folder).filter((name) => !name.startsWith("."))).toEqual([]);
  });

  it("that cannot be brought to the disk, or read to its end, leaves no session either", async () => {
    const folder = join(root, "unsure");
    const target = { cwd: "/project", now: AT };
    const sync = () => {
      throw Object.assign(new Error("i/o error"), { code: "EIO" });
    };
    const unsure = openStore(folder, { clock, disk: { ...realDisk, sync } });
    await expect(writeImport(unsure, taken, target)).rejects.toThrow(LogWriteError);
    const forEachMessage: TakenSession["forEachMessage"] = (visit) => {
      visit(said("person", "one"));
      visit(said("agent", "two"));
      throw new Error("gone");
    };
    await expect(writeImport(openStore(folder, { clock }), { ...taken, forEachMessage }, target)).rejects.toThrow(
      "gone",
    );
    expect(readdirSync(folder).filter((name) => !name.startsWith("."))).toEqual([]);
  });

  it("is there once, however often it is imported", async () => {
    const store = openStore(join(root, "twice"), { clock });
    const write = (from: TakenSession, cwd = "/project") => writeImport(store, from, { cwd, now: AT });
    const first = await write(taken);
    expect(first).toMatchObject({ isKnown: false, earlier: [] });
    expect(await write(taken)).toEqual({ sessionId: first.sessionId, isKnown: true, earlier: [] });
    expect(store.ids()).toEqual([first.sessionId]);
    const elsewhere = await write(taken, "/other");
    expect(elsewhere).toMatchObject({ isKnown: false });
    expect(elsewhere.sessionId).not.toBe(first.sessionId);
  });

  it("that has gone on since is a session beside the earlier one", async () => {
    const store = openStore(join(root, "longer"), { clock });
    const write = (from: TakenSession) => writeImport(store, from, { cwd: "/project", now: AT });
    const first = await write(taken);
    const longer = takenOf([
      said("person", "one"),
      said("agent", "two"),
      said("person", "three"),
      said("agent", "four"),
    ]);
    const second = await write(longer);
    expect(second).toMatchObject({ isKnown: false, earlier: [first.sessionId] });
    expect(store.ids().sort()).toEqual([first.sessionId, second.sessionId].sort());
  });

  it("without times, or with a twin in the bin, is new each time", async () => {
    const store = openStore(join(root, "bin/sessions"), { clock });
    const write = (from: TakenSession) => writeImport(store, from, { cwd: "/project", now: AT });
    const timeless = { ...taken, startedAt: undefined };
    expect((await write(timeless)).sessionId).not.toBe((await write(timeless)).sessionId);
    const { sessionId } = await write(taken);
    await store.bin.put(sessionId);
    const again = await write(taken);
    expect(again.isKnown).toBe(false);
    expect(again.sessionId).not.toBe(sessionId);
  });
});
