import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionStore } from "@harness/core";
import { type Fact, ROOT_AGENT } from "@harness/protocol";
import { appendAll, got, idle, sampleFacts, userSays } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../session-store.ts";

const AT = Date.UTC(2026, 10, 21);

let root = "";
let now = AT;
const store = () => openStore(root, { clock: { now: () => now } });
const first = async (from: SessionStore = store()) => (await from.list({ limit: 1 })).sessions[0];

function leave(facts: Fact[] = [userSays("hello"), ...Object.values(sampleFacts), idle]): string {
  now += 1000;
  const log = store().create({
    sessionId: store().newSessionId(),
    cwd: "/project",
    createdAt: new Date(now).toISOString(),
    version: 1,
  });
  appendAll(log, facts, now);
  log.addAgent("child", ROOT_AGENT);
  log.append({ agentId: "child", at: new Date(now).toISOString(), update: idle });
  log.close();
  return log.header.sessionId;
}

beforeEach(() => {
  now = AT;
  root = mkdtempSync(join(tmpdir(), "index-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("the session index", () => {
  it("gives the same entry from meta.json, from the log, and from a log that has grown since", async () => {
    const id = leave();
    const meta = join(root, id, "meta.json");
    const fromMeta = await first();
    expect(fromMeta).toMatchObject({ turns: 2, subagents: 1, title: "Repair the Tests", model: "small-model" });

    const known = readFileSync(meta);
    rmSync(meta);
    expect(await first()).toEqual(fromMeta);

    writeFileSync(meta, known);
    const { log } = got(store().open(id));
    appendAll(log, [userSays("more"), { ...sampleFacts.agent_message, model: "other" }], now + 60_000);
    log.close();
    const grown = await first();
    expect(grown).toMatchObject({ turns: 3, model: "other", preview: "more", title: "Repair the Tests" });
    writeFileSync(meta, known);
    expect(await first()).toEqual(grown);
    rmSync(meta);
    expect(await first()).toEqual(grown);
  });

  it("hears of a session once when nothing comes after its last turn", async () => {
    const id = store().newSessionId();
    const log = store().create({ sessionId: id, cwd: "/project", createdAt: new Date(now).toISOString(), version: 1 });
    const meta = () => statSync(join(root, id, "meta.json")).ino;
    appendAll(log, [userSays("hello"), idle], now);
    const written = meta();
    log.close();
    expect(meta()).toBe(written);
    const again = got(store().open(id)).log;
    appendAll(again, [userSays("more"), idle, userSays("much more")], now);
    const earlier = meta();
    again.close();
    expect(meta()).not.toBe(earlier);
    expect(await first()).toMatchObject({ turns: 3 });
  });

  it("takes the model from the latest fact that names one", async () => {
    const config = (model: string): Fact => ({ sessionUpdate: "config_option_update", config: { model } });
    const reply = (model: string): Fact => ({ ...sampleFacts.agent_message, model });
    for (const facts of [
      [config("old"), reply("last")],
      [reply("old"), config("last")],
      [reply("old"), config("older"), reply("last")],
    ]) {
      const id = leave([userSays("hi"), ...facts]);
      expect((await first())?.model).toBe("last");
      rmSync(join(root, id, "meta.json"));
      expect((await first())?.model).toBe("last");
    }
  });

  it("is correct whatever meta.json and the index file contain", async () => {
    const id = leave();
    const right = await first();
    for (const rubbish of [
      "",
      "{",
      "null",
      "[]",
      '{"version":1}',
      '{"version":99,"digest":{}}',
      '{"version":3}\n1\nnull\n{"digest":{}}\n{',
    ]) {
      writeFileSync(join(root, id, "meta.json"), rubbish);
      writeFileSync(join(root, ".index.json"), rubbish);
      expect(await first()).toEqual(right);
    }
  });

  it("reads entries from its file, which follows every change", async () => {
    const ids = Array.from({ length: 40 }, (_, index) => leave([userSays(`number ${index}`)]));
    const all = (await store().list({ limit: 100 })).sessions;
    expect(all.map((each) => each.sessionId)).toEqual(ids.reverse());
    expect(existsSync(join(root, ".index.json"))).toBe(true);
    expect((await store().list({ limit: 100 })).sessions).toEqual(all);

    const [newest = "", second = ""] = ids;
    rmSync(join(root, newest), { recursive: true });
    writeFileSync(
      join(root, second, "log.jsonl"),
      readFileSync(join(root, second, "log.jsonl"), "utf8").replace("number", "NUMBER"),
    );
    const sessions = (await store().list({ limit: 100 })).sessions;
    expect(sessions).toHaveLength(39);
    expect(sessions.find((each) => each.sessionId === second)?.damage).toMatch(/damaged/);
  });

  it("reads a log again when it changed without a change in size", async () => {
    const id = leave([userSays("hello")]);
    const log = join(root, id, "log.jsonl");
    const listing = store();
    expect((await first(listing))?.preview).toBe("hello");
    const bytes = readFileSync(log, "utf8");
    writeFileSync(
      log,
      bytes.replace(/,"crc":"[^"]*"/, " ".repeat(17)).replace(/hello(.*),"crc":"[^"]*"/s, "jello$1                 "),
    );
    utimesSync(log, 1, 1);
    expect((await first(listing))?.preview).toBe("jello");
  });

  it("lists a damaged session even if nothing in it can be read, and omits other folders", async () => {
    mkdirSync(join(root, "20261121-000000-dead"));
    writeFileSync(join(root, "20261121-000000-dead", "log.jsonl"), "\0\0\0\n\0\0");
    mkdirSync(join(root, "empty-folder"));
    mkdirSync(join(root, "folder-for-log", "log.jsonl"), { recursive: true });
    writeFileSync(join(root, "a-file"), "");
    const { sessions } = await store().list({ limit: 10 });
    expect(sessions).toMatchObject([
      { sessionId: "20261121-000000-dead", damage: expect.stringMatching(/2 damaged pieces/) },
    ]);
  });

  it("shows what the person wrote, without what they quoted", async () => {
    const quoted = { type: "text" as const, text: '<file path="a.md">\nnotes\n</file>', quoted: true };
    const content = [{ type: "text" as const, text: "what is it" }, quoted];
    leave([{ sessionUpdate: "user_message", messageId: "m", origin: "user", content }]);
    expect((await first())?.preview).toBe("what is it");
  });

  it("shows the beginning of a long first message, and a placeholder for a picture", async () => {
    leave([userSays(`${"🙂".repeat(5000)}`)]);
    const preview = (await first())?.preview ?? "";
    expect(preview.length).toBeLessThanOrEqual(200);
    expect(preview.isWellFormed()).toBe(true);
    leave([
      {
        sessionUpdate: "user_message",
        messageId: "m",
        origin: "user",
        content: [{ type: "image", mimeType: "image/png", data: "aGk=" }],
      },
    ]);
    expect((await first())?.preview).toBe("(image)");
  });
});
