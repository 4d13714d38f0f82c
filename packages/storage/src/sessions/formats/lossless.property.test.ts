import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { factsOf, memoryPages, type SessionStore } from "@harness/core";
import { type Fact, type FactKind, facts as factTable, fold, ROOT_AGENT, type StoredFact } from "@harness/protocol";
import { got, numRuns, sampleFacts } from "@harness/testkit";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { openStore, type StoreOptions } from "../session-store.ts";
import { importBundle } from "./bundle/import-bundle.ts";
import { readOwnSession } from "./bundle/own-session.ts";
import { type Bundle, readBundle } from "./bundle/read-bundle.ts";
import { exportWriters } from "./export/export-formats.ts";

const root = mkdtempSync(join(tmpdir(), "lossless-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const AT = "2026-11-21T13:30:22.000Z";
const header = { sessionId: "20261121-143022-x7f3", cwd: "/project", createdAt: AT, version: 1 };
const clock = { now: () => Date.parse(AT) };
const CHILD = "k1";

let count = 0;
function newFolder(): string {
  count += 1;
  const folder = join(root, String(count));
  mkdirSync(folder);
  return folder;
}

/** Writes the facts into a store of its own, and reads them from the disk. */
function stored(facts: readonly StoredFact[], options: (root: string) => Partial<StoreOptions>): StoredFact[] {
  const folder = newFolder();
  const open = () => openStore(folder, { clock, ...options(folder) });
  const log = open().create(header);
  for (const { agentId, at, update } of facts) {
    log.append({ agentId, at, update });
    if (update.sessionUpdate === "subagent_update" && update.childAgentId === CHILD) log.addAgent(CHILD, agentId);
  }
  log.close();
  return factsIn(open(), header.sessionId);
}

async function exported(
  facts: readonly StoredFact[],
  format: "bundle" | "json",
  read: (path: string) => Promise<Bundle | { problem: string } | undefined> | Bundle | { problem: string } | undefined,
): Promise<StoredFact[]> {
  const folder = newFolder();
  const path = join(folder, "export");
  const pages = memoryPages(() => facts);
  const hiding = { hide: (text: string) => text, open: () => 0, leave: () => undefined };
  const source = { header, title: undefined, pages, savedTexts: [], version: "1", ...hiding };
  writeFileSync(path, Buffer.concat([...exportWriters[format].write(source)].map((piece) => Buffer.from(piece))));
  const bundle = await read(path);
  if (!bundle || "problem" in bundle) throw new Error(bundle?.problem ?? "It is no export.");
  const store = openStore(join(folder, "store"), { clock });
  const { sessionId } = await importBundle(store, bundle, { cwd: header.cwd, now: AT });
  return factsIn(store, sessionId);
}

function factsIn(store: SessionStore, sessionId: string): StoredFact[] {
  return [...factsOf(got(store.load(sessionId)))];
}

/** The formats that keep everything. */
const formats: Record<string, (facts: readonly StoredFact[]) => StoredFact[] | Promise<StoredFact[]>> = {
  log: (facts) => stored(facts, () => ({})),
  Markdown: (facts) =>
    stored(facts, (folder) => {
      const place = { path: folder, isOurs: true };
      return { places: { all: () => [place], forNew: () => place } };
    }),
  bundle: (facts) => exported(facts, "bundle", readBundle),
  JSON: (facts) => exported(facts, "json", readOwnSession),
};

const message = (text: string): Fact => ({ ...sampleFacts.user_message, content: [{ type: "text", text }] });
const begin: Fact = { ...sampleFacts.subagent_update, childAgentId: CHILD, state: "running" };
const everyKind: readonly Fact[] = Object.values(sampleFacts);
const update = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...everyKind) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme" }).map(message) },
  {
    weight: 1,
    arbitrary: fc.string().map((text): Fact => ({ ...sampleFacts.agent_message, parts: [{ type: "text", text }] })),
  },
);
const byAgent: fc.Arbitrary<[string, Fact]> = fc.tuple(fc.constantFrom<string>(ROOT_AGENT, CHILD), update);
const allKinds = everyKind.map((each): [string, Fact] => [ROOT_AGENT, each]);

function session(updates: readonly (readonly [agentId: string, update: Fact])[]): StoredFact[] {
  const all = [[ROOT_AGENT, message("begin")] as const, [ROOT_AGENT, begin] as const, ...updates];
  return all.map(([agentId, each], index) => ({ seq: index + 1, at: AT, agentId, update: each }));
}

describe("any session", () => {
  it.each(Object.entries(formats))("has the same facts and the same fold in its %s", async (_name, carry) => {
    const seen = new Set<FactKind>();
    await fc.assert(
      fc.asyncProperty(fc.array(byAgent, { maxLength: 12 }), async (updates) => {
        const facts = JSON.parse(JSON.stringify(session(updates))) as StoredFact[];
        for (const fact of facts) seen.add(fact.update.sessionUpdate);
        const there = await carry(facts);
        expect(there).toEqual(facts);
        expect(fold(header.sessionId, there)).toEqual(fold(header.sessionId, facts));
      }),
      // One session has all kinds, so that none depends on luck.
      { numRuns: numRuns(25), examples: [[allKinds]] },
    );
    expect([...seen].sort()).toEqual(Object.keys(factTable).sort());
  });
});
