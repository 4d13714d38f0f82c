import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { factsOf, memoryPages, type SessionStore } from "@harness/core";
import { type Fact, fold, ROOT_AGENT, type StoredFact, textOf } from "@harness/protocol";
import { numRuns, sampleFacts } from "@harness/testkit";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { createRedactor } from "../../../secrets/redactor.ts";
import { openStore } from "../../session-store.ts";
import { exportWriters } from "../export/export-formats.ts";
import type { ExportSource } from "../export/export-source.ts";
import { importBundle } from "./import-bundle.ts";
import { type Bundle, readBundle } from "./read-bundle.ts";

const root = mkdtempSync(join(tmpdir(), "bundles-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const AT = "2026-11-21T13:30:22.000Z";
const header = { sessionId: "20261121-143022-x7f3", cwd: "/old/project", createdAt: AT, version: 1 };

let count = 0;
function newStore(): SessionStore {
  count += 1;
  const folder = join(root, `store-${count}`);
  mkdirSync(folder);
  return openStore(folder, { clock: { now: () => Date.parse(AT) } });
}

function sourceOf(facts: readonly StoredFact[], more: Partial<ExportSource> = {}): ExportSource {
  const pages = memoryPages(() => facts);
  const hiding = { hide: (text: string) => text, open: () => 0, leave: () => undefined };
  return { header, title: undefined, pages, savedTexts: [], version: "1", ...hiding, ...more };
}

function bundleOf(source: ExportSource): string {
  count += 1;
  const path = join(root, `${count}.harness.gz`);
  writeFileSync(path, Buffer.concat([...exportWriters.bundle.write(source)].map((piece) => Buffer.from(piece))));
  return path;
}

async function imported(store: SessionStore, path: string, cwd = "/new/place") {
  const bundle = await readBundle(path);
  if (!bundle || "problem" in bundle) throw new Error("no bundle");
  return importBundle(store, bundle, { cwd, now: AT });
}

function factsIn(store: SessionStore, sessionId: string): StoredFact[] {
  const loaded = store.load(sessionId);
  if ("problem" in loaded) throw new Error(loaded.problem);
  return [...factsOf(loaded)];
}

const numbered = (updates: readonly (Fact | { agentId: string; update: Fact })[]): StoredFact[] =>
  updates.map((each, index) => {
    const { agentId, update } = "update" in each ? each : { agentId: ROOT_AGENT, update: each };
    return { seq: index + 1, at: AT, agentId, update };
  });
const message = (text: string): Fact => ({ ...sampleFacts.user_message, content: [{ type: "text", text }] });

const child: Fact = { ...sampleFacts.subagent_update, childAgentId: "k1", state: "running" };
const update = fc.oneof(
  fc.constantFrom(...Object.values(sampleFacts)),
  fc.string({ unit: "grapheme" }).map(message),
  fc.string().map((text): Fact => ({ ...sampleFacts.agent_message, parts: [{ type: "text", text }] })),
);

describe("any session", () => {
  it("is the same after a bundle and an import", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(update, { maxLength: 12 }),
        fc.array(update, { maxLength: 4 }),
        async (main, inside) => {
          const facts = numbered([
            message("begin"),
            ...main,
            child,
            ...inside.map((each) => ({ agentId: "k1", update: each })),
          ]);
          const store = newStore();
          const { sessionId } = await imported(store, bundleOf(sourceOf(facts)), header.cwd);
          const there = factsIn(store, sessionId);
          expect(there).toEqual(JSON.parse(JSON.stringify(facts)));
          expect(fold(sessionId, there)).toEqual(fold(sessionId, JSON.parse(JSON.stringify(facts))));
        },
      ),
      { numRuns: numRuns(30) },
    );
  });

  it("has every fact in its JSON", () => {
    fc.assert(
      fc.property(fc.array(update, { maxLength: 12 }), (main) => {
        const facts = numbered(main);
        const { facts: there } = JSON.parse([...exportWriters.json.write(sourceOf(facts))].join(""));
        expect(there).toEqual(JSON.parse(JSON.stringify(facts)));
      }),
      { numRuns: numRuns(30) },
    );
  });
});

describe("a bundle", () => {
  it("moves the paths of known fields, brings saved texts, and counts texts that name the old folder", async () => {
    const saved = join(root, "saved");
    mkdirSync(saved);
    writeFileSync(join(saved, "7.txt"), "all of it");
    const outcome = {
      ...{ status: "ok" as const, durationMs: 1, text: `see ${saved}/7.txt` },
      files: [{ path: "/old/project/src/a.ts", how: "read" as const }],
      blocks: [
        {
          type: "diff" as const,
          path: "/old/project-two/a.ts",
          change: "modify" as const,
          hunks: "",
          added: 0,
          removed: 0,
        },
      ],
    };
    const facts = numbered([message("look into /old/project/src"), { ...sampleFacts.tool_call_update, outcome }]);
    const store = newStore();
    const { sessionId, left, messages } = await imported(store, bundleOf(sourceOf(facts, { savedTexts: [saved] })));
    expect({ left, messages }).toEqual({ left: "2 texts still name the old folder.", messages: 1 });
    const [, call] = factsIn(store, sessionId);
    const moved = call?.update.sessionUpdate === "tool_call_update" ? call.update.outcome : undefined;
    expect(moved?.files?.[0]?.path).toBe("/new/place/src/a.ts");
    expect(moved?.blocks[0]).toMatchObject({ path: "/old/project-two/a.ts" });
    const [, path = ""] = /^see (.*)$/.exec(moved?.text ?? "") ?? [];
    expect(path).not.toContain(saved);
    expect(readFileSync(path, "utf8")).toBe("all of it");
    const loaded = store.load(sessionId);
    expect(loaded).toMatchObject({ header: { cwd: "/new/place", createdAt: AT } });
  });

  it("keeps its id where that is free, gets another one where it is not, and counts as one that others may have written", async () => {
    const store = newStore();
    const path = bundleOf(sourceOf(numbered([message("hi")])));
    const first = await imported(store, path);
    const second = await imported(store, path);
    expect(first.sessionId).toBe(header.sessionId);
    expect(second.sessionId).not.toBe(header.sessionId);
    const opened = store.open(first.sessionId);
    if ("problem" in opened) throw new Error(opened.problem);
    expect(opened.log.isBegunHere).toBe(false);
    opened.log.close();
    // A session in the bin comes back under its own id.
    expect(await store.bin.put(first.sessionId)).toEqual({ deleted: true });
    expect((await imported(store, path)).sessionId).not.toBe(header.sessionId);
    expect(await store.bin.restore(header.sessionId)).toMatchObject({ sessionId: header.sessionId });
  });

  it("that was changed or cut is refused", async () => {
    const path = bundleOf(sourceOf(numbered([message("pay 10")])));
    const text = gunzipSync(readFileSync(path)).toString();
    const damaged = async (content: string | Buffer) => {
      const other = join(root, "damaged.gz");
      writeFileSync(other, content);
      return await readBundle(other);
    };
    expect(await damaged(gzipSync(text.replace("pay 10", "pay 99")))).toMatchObject({
      problem: expect.stringContaining("checksum"),
    });
    expect(await damaged(gzipSync(text.slice(0, text.lastIndexOf("{"))))).toHaveProperty("problem");
    expect(await damaged(readFileSync(path).subarray(0, 100))).toHaveProperty("problem");
    expect(await damaged(gzipSync(""))).toHaveProperty("problem");
    expect(await damaged(gzipSync(sealed(["[".repeat(200_000)])))).toMatchObject({
      problem: expect.stringContaining("not a bundle"),
    });
    expect(await damaged("no gzip")).toBeUndefined();
  });
});

/** The lines, followed by the line with their checksum. */
function sealed(lines: readonly string[]): string {
  const text = lines.map((line) => `${line}\n`).join("");
  const sha256 = createHash("sha256").update(text).digest("hex");
  return `${text}${JSON.stringify({ end: { lines: lines.length, sha256 } })}\n`;
}

const importedRows = (
  store: SessionStore,
  rows: readonly Record<string, unknown>[],
  session: Record<string, unknown> = {},
) =>
  importBundle(
    store,
    { from: "x", head: { session: { ...header, ...session } }, rows: () => rows },
    { cwd: "/new", now: AT },
  );
const factRow = (seq: number, update: unknown, more: object = {}) => ({
  fact: { seq, at: AT, agentId: "main", update, ...more },
});
const storedSessions = async (store: SessionStore) => (await store.list({ limit: 10 })).total;

describe("a hostile bundle", () => {
  it("brings nothing that fits no schema, leads nowhere outside its folder, and keeps the numbers", async () => {
    const rows: Record<string, unknown>[] = [
      { blob: { path: "../../../escaped.txt", data: "aGk=" } },
      { blob: { path: 7 } },
      factRow(1, message("one")),
      factRow(2, { sessionUpdate: "user_message", content: 7 }),
      factRow(3, message("elsewhere"), { agentId: "../../x" }),
      factRow(4, { ...child, childAgentId: "../up" }, { at: 7 }),
      factRow(6, message("six")),
      factRow(6, message("again")),
      factRow(1e15, message("far")),
      { fact: null },
      { other: 1 },
    ];
    const store = newStore();
    const { sessionId, left } = await importedRows(store, rows, { sessionId: "../../evil", createdAt: 7 });
    expect(sessionId).toMatch(/^\d{8}-\d{6}-\w{4}$/);
    const facts = factsIn(store, sessionId);
    expect(facts.map(({ seq, update: each }) => [seq, each.sessionUpdate])).toEqual([
      ...[
        [1, "user_message"],
        [2, "notice"],
        [3, "notice"],
        [4, "notice"],
        [5, "notice"],
      ],
      [6, "user_message"],
    ]);
    expect(left).toBe("7 entries could not be read.");
  });

  it.each(["--now", "zzz", "a", "20261121-143022-X7F3", ".", ""])("does not choose %j as its id", async (sessionId) => {
    const brought = await importedRows(newStore(), [factRow(1, message("one"))], { sessionId });
    expect(brought.sessionId).not.toBe(sessionId);
    expect(brought.sessionId).toMatch(/^\d{8}-\d{6}-[a-z0-9]{4}$/);
  });

  it("has times that are times, and takes others from the entry before", async () => {
    const rows = [
      factRow(1, message("one"), { at: "zzz" }),
      factRow(2, message("two"), { at: "2026-11-22T10:00:00+01:00" }),
      factRow(3, message("three"), { at: { toString: 1 } }),
    ];
    const store = newStore();
    const { sessionId } = await importedRows(store, rows, { createdAt: "--now" });
    const later = "2026-11-22T09:00:00.000Z";
    expect(factsIn(store, sessionId).map(({ at }) => at)).toEqual([AT, later, later]);
  });

  it("has ten thousand gaps in all, and not for each of its facts", async () => {
    const rows = Array.from({ length: 50 }, (_, at) => factRow((at + 1) * 3_000, message(`m${at}`)));
    const store = newStore();
    const { sessionId, messages } = await importedRows(store, rows);
    expect(messages).toBe(3);
    expect(factsIn(store, sessionId)).toHaveLength(9_000);
  });

  it("with an entry that is nested too deeply is imported without it", async () => {
    let deep: unknown = "x";
    for (let depth = 0; depth < 2_000; depth += 1) deep = [deep];
    const call = { type: "tool_call" as const, toolCallId: "c", name: "bash", input: { deep } };
    const facts = numbered([message("one"), { ...sampleFacts.agent_message, parts: [call] }, message("two")]);
    expect(await imported(newStore(), bundleOf(sourceOf(facts)))).toMatchObject({
      messages: 2,
      left: "1 entry could not be read.",
    });
  });

  it("without a message leaves no session, and says so", async () => {
    const store = newStore();
    for (const rows of [[], [{ other: 1 }], [factRow(1, sampleFacts.notice)]])
      await expect(importedRows(store, rows)).rejects.toThrow("no messages");
    expect(await storedSessions(store)).toBe(0);
    expect(readdirSync(join(root, `store-${count}`)).filter((name) => !name.startsWith("."))).toEqual([]);
  });

  it("that fails in the middle leaves no session", async () => {
    const store = newStore();
    function* rows() {
      yield factRow(1, message("one"));
      yield factRow(2, { sessionUpdate: "state_update", state: "idle" });
      throw new Error("torn");
    }
    const torn: Bundle = { from: "x", head: { session: header }, rows };
    await expect(importBundle(store, torn, { cwd: "/new", now: AT })).rejects.toThrow("torn");
    expect(await storedSessions(store)).toBe(0);
    expect(store.folderOf(header.sessionId)).toBeUndefined();
  });
});

describe("paths in a bundle", () => {
  const moved = async (update: Fact, saved: readonly string[] = []) => {
    const store = newStore();
    const rows = [
      ...saved.map((path) => ({ blob: { path, data: "aGk=" } })),
      factRow(1, message("begin")),
      factRow(2, update),
    ];
    const { sessionId } = await importedRows(store, rows);
    return factsIn(store, sessionId)[1]?.update;
  };
  const called = (input: Record<string, unknown>): Fact => ({
    ...sampleFacts.agent_message,
    parts: [{ type: "tool_call", toolCallId: "c", name: "write", input }],
  });

  it("are moved, and texts of files that begin with one are not", async () => {
    const content = "/old/project/bin\n/old/project/src\n";
    expect(await moved(called({ path: "/old/project/a", content, cwd: "/old/project" }))).toMatchObject({
      parts: [{ input: { path: "/new/a", content, cwd: "/new" } }],
    });
    const input = { content: "/old/project/a", like: "/old/project/b", path: "/old/project/a\n", from: "/old/project" };
    expect(await moved(called(input))).toMatchObject({ parts: [{ input }] });
    const staged: Fact = {
      sessionUpdate: "staged_update",
      files: [{ path: "/old/project/a", base: null, content: "/old/project/b", standing: "waiting" }],
    };
    expect(await moved(staged)).toMatchObject({ files: [{ path: "/new/a", content: "/new/b" }] });
  });

  it("of saved texts are replaced as whole names, and not in texts of files", async () => {
    const text = "/s/blobs/7.txt";
    const saw = (more: object): Fact => ({
      ...sampleFacts.tool_call_update,
      outcome: { status: "ok", durationMs: 1, blocks: [], text: "", ...more },
    });
    const others = `/s/blobs/7.txt.bak /s/blobs/77.txt /x/s/blobs/7.txt`;
    const seen = await moved(saw({ text: `see ${text}, "${text}" ${others}` }), [text]);
    const said = seen?.sessionUpdate === "tool_call_update" ? (seen.outcome?.text ?? "") : "";
    expect(said).toMatch(/^see (\S+)\/blobs\/(\w+\.txt), "\1\/blobs\/\2" /);
    expect(said).not.toMatch(/ \/s\/blobs\/7\.txt[, "]/);
    expect(said.endsWith(others)).toBe(true);
    expect(await moved(called({ path: "a", content: text }), [text])).toMatchObject({
      parts: [{ input: { content: text } }],
    });
    expect(JSON.stringify(await moved(called({ path: text }), [text]))).not.toContain(text);
  });
});

describe("saved texts in a bundle", () => {
  const SECRET = "sk-not-for-others-0123456789";
  const redactor = createRedactor([{ name: "KEY", value: SECRET }]);
  const roundTrip = async (bytes: Uint8Array) => {
    const saved = join(root, `saved-${++count}`);
    mkdirSync(saved);
    writeFileSync(join(saved, "1.txt"), bytes);
    const store = newStore();
    const source = sourceOf(numbered([message(`${saved}/1.txt`)]), { savedTexts: [saved], ...redactor });
    const { sessionId } = await imported(store, bundleOf(source));
    const [fact] = factsIn(store, sessionId);
    return readFileSync(fact?.update.sessionUpdate === "user_message" ? textOf(fact.update.content) : "");
  };

  it("have no secret, whatever their bytes are, and keep all others", async () => {
    const long = Buffer.alloc(256 * 1024 - 10, "x");
    const odd = Buffer.from([0xff, 0xfe, 0x80, 0x00, 0xc3]);
    const key = Buffer.from(SECRET);
    expect(await roundTrip(Buffer.concat([odd, key, odd]))).toEqual(
      Buffer.concat([odd, Buffer.from("[secret KEY]"), odd]),
    );
    const across = await roundTrip(Buffer.concat([long, key, odd]));
    expect(across).toEqual(Buffer.concat([long, Buffer.from("[secret KEY]"), odd]));
    const wide = Buffer.from(`\ufeffä ${SECRET} ${"b".repeat(200_000)} ${SECRET}`, "utf16le");
    expect((await roundTrip(wide)).toString("utf16le")).toBe(
      `\ufeffä [secret KEY] ${"b".repeat(200_000)} [secret KEY]`,
    );
    const swapped = await roundTrip(Buffer.from(`ab ${SECRET}.`, "utf16le").swap16());
    expect(swapped.swap16().toString("utf16le")).toBe("ab [secret KEY].");
    for (const plain of [Buffer.alloc(0), randomBytes(700_001), Buffer.alloc(300_001)])
      expect((await roundTrip(plain)).equals(plain)).toBe(true);
  });

  it("of sessions that it was forked from come along where it names them", async () => {
    const [own, shared] = [join(root, `own-${++count}`), join(root, `shared-${count}`)];
    for (const folder of [own, shared]) mkdirSync(folder);
    for (const name of ["named.txt", "other.txt"]) writeFileSync(join(shared, name), name);
    const lines = gunzipSync(
      readFileSync(bundleOf(sourceOf(numbered([message(`see ${shared}/named.txt.`)]), { savedTexts: [own, shared] }))),
    ).toString();
    expect(lines).toContain("named.txt");
    expect(lines).not.toContain("other.txt");
  });

  it("that cannot be read are named at the export, and counted at the import", async () => {
    const saved = join(root, `links-${++count}`);
    mkdirSync(saved);
    symlinkSync("/etc/passwd", join(saved, "1.txt"));
    mkdirSync(join(saved, "2.txt"));
    const left: string[] = [];
    const leave = (sentence: string) => left.push(sentence);
    const path = bundleOf(sourceOf(numbered([message("hi")]), { savedTexts: [saved], leave }));
    expect(left).toHaveLength(2);
    expect(left[0]).toContain(join(saved, "1.txt"));
    expect(gunzipSync(readFileSync(path)).toString()).not.toContain("root:");
    expect(await imported(newStore(), path)).toMatchObject({ left: "2 saved texts could not be exported." });
  });
});
