import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { factsOf, memoryPages, type SessionStore } from "@harness/core";
import { type Fact, fold, ROOT_AGENT, type StoredFact } from "@harness/protocol";
import { numRuns, sampleFacts } from "@harness/testkit";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
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
  return { header, title: undefined, pages, savedTexts: [], version: "1", hide: (text) => text, ...more };
}

function bundleOf(source: ExportSource): string {
  count += 1;
  const path = join(root, `${count}.harness.gz`);
  writeFileSync(path, Buffer.concat([...exportWriters.bundle.write(source)].map((piece) => Buffer.from(piece))));
  return path;
}

function imported(store: SessionStore, path: string, cwd = "/new/place") {
  const bundle = readBundle(path);
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
  it("is the same after a bundle and an import", () => {
    fc.assert(
      fc.property(fc.array(update, { maxLength: 12 }), fc.array(update, { maxLength: 4 }), (main, inside) => {
        const facts = numbered([
          message("begin"),
          ...main,
          child,
          ...inside.map((each) => ({ agentId: "k1", update: each })),
        ]);
        const store = newStore();
        const { sessionId } = imported(store, bundleOf(sourceOf(facts)), header.cwd);
        const there = factsIn(store, sessionId);
        expect(there).toEqual(JSON.parse(JSON.stringify(facts)));
        expect(fold(sessionId, there)).toEqual(fold(sessionId, JSON.parse(JSON.stringify(facts))));
      }),
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
  it("moves the paths of known fields, brings saved texts, and counts texts that name the old folder", () => {
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
    const { sessionId, left, messages } = imported(store, bundleOf(sourceOf(facts, { savedTexts: [saved] })));
    expect({ left, messages }).toEqual({ left: "Texts that still name the old folder: 2.", messages: 1 });
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

  it("keeps its id where that is free, gets another one where it is not, and counts as one that others may have written", () => {
    const store = newStore();
    const path = bundleOf(sourceOf(numbered([message("hi")])));
    const first = imported(store, path);
    const second = imported(store, path);
    expect(first.sessionId).toBe(header.sessionId);
    expect(second.sessionId).not.toBe(header.sessionId);
    const opened = store.open(first.sessionId);
    if ("problem" in opened) throw new Error(opened.problem);
    expect(opened.log.isBegunHere).toBe(false);
    opened.log.close();
  });

  it("that was changed or cut is refused", () => {
    const path = bundleOf(sourceOf(numbered([message("pay 10")])));
    const text = gunzipSync(readFileSync(path)).toString();
    const damaged = (content: string | Buffer) => {
      const other = join(root, "damaged.gz");
      writeFileSync(other, content);
      return readBundle(other);
    };
    expect(damaged(gzipSync(text.replace("pay 10", "pay 99")))).toMatchObject({
      problem: expect.stringContaining("checksum"),
    });
    expect(damaged(gzipSync(text.slice(0, text.lastIndexOf("{"))))).toHaveProperty("problem");
    expect(damaged(readFileSync(path).subarray(0, 100))).toHaveProperty("problem");
    expect(damaged(gzipSync(""))).toHaveProperty("problem");
    expect(damaged("no gzip")).toBeUndefined();
  });

  it("that is hostile brings nothing that fits no schema, leads nowhere outside its folder, and keeps the numbers", () => {
    const rows: Record<string, unknown>[] = [
      { blob: { path: "../../../escaped.txt", data: "aGk=" } },
      { blob: { path: 7 } },
      { fact: { seq: 1, at: AT, agentId: "main", update: message("one") } },
      { fact: { seq: 2, at: AT, agentId: "main", update: { sessionUpdate: "user_message", content: 7 } } },
      { fact: { seq: 3, at: AT, agentId: "../../x", update: message("elsewhere") } },
      { fact: { seq: 4, at: 7, agentId: "main", update: { ...child, childAgentId: "../up" } } },
      { fact: { seq: 6, at: AT, agentId: "main", update: message("six") } },
      { fact: { seq: 6, at: AT, agentId: "main", update: message("again") } },
      { fact: { seq: 1e15, at: AT, agentId: "main", update: message("far") } },
      { fact: null },
      { other: 1 },
    ];
    const bundle: Bundle = {
      head: { session: { ...header, sessionId: "../../evil", createdAt: 7 } },
      rows: () => rows,
    };
    const store = newStore();
    const { sessionId, left } = importBundle(store, bundle, { cwd: "/new", now: AT });
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
    expect(left).toBe("Facts that could not be read: 7.");
  });
});
