import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { factsOf, memoryPages, type SessionStore } from "@harness/core";
import { type Fact, ROOT_AGENT, type StoredFact, textOf } from "@harness/protocol";
import { sampleFacts } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../session-store.ts";
import { exportWriters } from "../export/export-formats.ts";
import { importBundle } from "./import-bundle.ts";
import { readOwnSession } from "./own-session.ts";

const root = mkdtempSync(join(tmpdir(), "own-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const AT = "2026-11-21T13:30:22.000Z";
const sessionId = "20261121-143022-x7f3";
const clock = { now: () => Date.parse(AT) };
const said = (text: string): Fact => ({ ...sampleFacts.user_message, content: [{ type: "text", text }] });

let folder: string;
let saved: string;
let count = 0;

function newStore(): SessionStore {
  count += 1;
  return openStore(join(root, `store-${count}`), { clock });
}
function factsIn(store: SessionStore, id: string): StoredFact[] {
  const loaded = store.load(id);
  if ("problem" in loaded) throw new Error(loaded.problem);
  return [...factsOf(loaded)];
}

beforeAll(() => {
  const store = openStore(join(root, "origin"), { clock });
  const log = store.create({ sessionId, cwd: "/old", createdAt: AT, version: 1 });
  const append = (update: Fact, agentId = ROOT_AGENT) => log.append({ agentId, at: AT, update });
  saved = log.saveText("all of it");
  append(said(`see ${saved}`));
  append({ ...sampleFacts.subagent_update, childAgentId: "k1", state: "running" });
  log.addAgent("k1", ROOT_AGENT);
  append({ ...sampleFacts.agent_message, parts: [{ type: "text", text: "inside" }] }, "k1");
  append({ ...sampleFacts.agent_message, parts: [{ type: "text", text: "Done in /old/a." }] });
  append({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
  log.close();
  folder = store.folderOf(sessionId) ?? "";
});

async function imported(path: string) {
  const own = readOwnSession(path);
  if (!own || "problem" in own) throw new Error(own?.problem ?? "none");
  const store = newStore();
  const result = await importBundle(store, own, { cwd: "/new", now: AT });
  return { ...result, from: own.from, facts: factsIn(store, result.sessionId) };
}
const agents = (facts: readonly StoredFact[]) =>
  facts.map(({ agentId, update }) => `${agentId} ${update.sessionUpdate}`);

describe("a session of our own", () => {
  const all = [
    "main user_message",
    "main subagent_update",
    "k1 agent_message",
    "main agent_message",
    "main state_update",
  ];

  it.each([
    ["its folder", () => folder],
    ["its log in its folder", () => join(folder, "log.jsonl")],
  ])("is imported from %s, with its agents and saved texts", async (_name, path) => {
    const { facts, from, sessionId: id, messages } = await imported(path());
    expect({ from, messages, id }).toEqual({ from: "a session folder", messages: 3, id: sessionId });
    expect(agents(facts)).toEqual(all);
    const [first] = facts;
    const text = first?.update.sessionUpdate === "user_message" ? textOf(first.update.content) : "";
    expect(text).not.toContain(saved);
    expect(readFileSync(text.replace("see ", ""), "utf8")).toBe("all of it");
  });

  it("is imported from its log alone, under any name, as far as that has it", async () => {
    const path = join(root, "talk.jsonl");
    copyFileSync(join(folder, "log.jsonl"), path);
    const { facts, from } = await imported(path);
    expect(from).toBe("a log");
    expect(agents(facts)).toEqual(all.map((each) => (each.startsWith("k1") ? "main notice" : each)));
  });

  it.each([
    ["as it is", (text: string) => text],
    ["written anew by another program", (text: string) => JSON.stringify(JSON.parse(text), null, 2)],
    ["in one line", (text: string) => JSON.stringify(JSON.parse(text))],
  ])("is imported from its JSON %s", async (_name, written) => {
    const store = openStore(join(root, "origin"), { clock });
    const loaded = store.load(sessionId);
    if ("problem" in loaded) throw new Error(loaded.problem);
    const facts = [...factsOf(loaded)];
    const hiding = { hide: (text: string) => text, open: () => 0, leave: () => undefined };
    const source = { header: loaded.header, title: "x", version: "1", savedTexts: [], ...hiding };
    const path = join(root, "talk.json");
    writeFileSync(
      path,
      written([...exportWriters.json.write({ ...source, pages: memoryPages(() => facts) })].join("")),
    );
    const brought = await imported(path);
    expect(brought).toMatchObject({ from: "a JSON export", left: "1 text still names the old folder." });
    expect(agents(brought.facts)).toEqual(all);
  });

  it("says that its turns cannot be undone in another folder, for the states of files are not beside its log", async () => {
    const store = openStore(join(root, "undone"), { clock });
    const id = "20261121-143022-und2";
    const log = store.create({ sessionId: id, cwd: "/old", createdAt: AT, version: 1 });
    for (const update of [said("go"), sampleFacts.turn_changes]) log.append({ agentId: ROOT_AGENT, at: AT, update });
    log.close();
    const path = store.folderOf(id) ?? "";
    expect((await imported(path)).left).toBe(
      "Its earlier turns cannot be undone here: only a bundle brings the states of its files.",
    );
    const own = readOwnSession(path);
    if (!own || "problem" in own) throw new Error("none");
    expect((await importBundle(newStore(), own, { cwd: "/old", now: AT })).left).toBe("Everything was taken over.");
  });

  it("is not anything else", () => {
    const put = (name: string, text: string) => {
      writeFileSync(join(root, name), text);
      return join(root, name);
    };
    expect(readOwnSession(put("a.json", '{"format":"something"}'))).toBeUndefined();
    expect(readOwnSession(put("b.json", '{\n"name": "package"\n}'))).toBeUndefined();
    expect(readOwnSession(put("c.jsonl", '{"type":"header"}\n'))).toBeUndefined();
    expect(readOwnSession(put("empty", ""))).toBeUndefined();
    expect(readOwnSession(root)).toMatchObject({ problem: expect.stringContaining("is not the folder of a session") });
  });

  it("brings no files from elsewhere, whatever its folder has", async () => {
    const copy = join(root, "linked", sessionId);
    const outside = join(root, "outside");
    mkdirSync(copy, { recursive: true });
    mkdirSync(outside);
    writeFileSync(join(outside, "key.txt"), "private");
    copyFileSync(join(folder, "log.jsonl"), join(copy, "log.jsonl"));
    symlinkSync(outside, join(copy, "blobs"));
    const own = readOwnSession(copy);
    if (!own || "problem" in own) throw new Error("none");
    const rows: unknown[] = [];
    for await (const row of own.rows()) rows.push(row);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from("private").toString("base64"));
  });
});
