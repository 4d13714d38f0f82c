import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CapabilityRecord } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { openCapabilities } from "./capability-store.ts";

const address = "http://127.0.0.1:11434";
const record: CapabilityRecord = {
  provider: "ollama",
  model: "qwen3:8b",
  address,
  testedAt: "2026-11-22T12:00:00.000Z",
  harnessVersion: "0.1.0",
  toolMode: "constrained",
  parallelCalls: false,
  streamsArguments: false,
  thinking: "leaks",
  windowTokens: 8_192,
  probes: [{ id: "answers", title: "Answers", outcome: "passed", detail: "It said so.", durationMs: 12 }],
};

function open(root = mkdtempSync(join(tmpdir(), "cards-"))) {
  return { root, path: join(root, "cards.json"), store: openCapabilities({ root }) };
}

describe("the capability store", () => {
  it("returns a record by provider, model and address, and by nothing less", async () => {
    const { root, store } = open();
    expect(store.read("ollama", "qwen3:8b", address)).toBeUndefined();
    expect(store.list()).toEqual({ records: [], problems: [] });
    expect(await store.save(record)).toEqual({ problems: [] });
    expect(store.read("ollama", "qwen3:8b", address)).toEqual(record);
    expect(store.read("ollama", "qwen3:8b", "http://10.0.0.7:11434")).toBeUndefined();
    expect(store.read("ollama", "qwen3:4b", address)).toBeUndefined();
    expect(store.read("llamacpp", "qwen3:8b", address)).toBeUndefined();
    expect(open(root).store.read("ollama", "qwen3:8b", address)).toEqual(record);
  });

  it("replaces the record of the same model and keeps those of others", async () => {
    const { store } = open();
    await store.save(record);
    await store.save({ ...record, toolMode: "native", testedAt: "2026-11-23T12:00:00.000Z" });
    await store.save({ ...record, model: "other", testedAt: "2026-11-22T18:00:00.000Z" });
    expect(store.list().records.map(({ model, toolMode }) => [model, toolMode])).toEqual([
      ["qwen3:8b", "native"],
      ["other", "constrained"],
    ]);
  });

  it("creates a file for this user only, and leaves no lock and no partial file", async () => {
    const { root, path, store } = open(join(mkdtempSync(join(tmpdir(), "cards-")), "new"));
    await store.save(record);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(root).mode & 0o777).toBe(0o700);
    expect(readdirSync(root)).toEqual(["cards.json"]);
  });

  it("shows records to another process at once, and keeps those of both", async () => {
    const { root, store } = open();
    const other = open(root).store;
    await store.save(record);
    expect(other.read("ollama", "qwen3:8b", address)).toEqual(record);
    await Promise.all([other.save({ ...record, model: "a" }), store.save({ ...record, model: "b" })]);
    expect(store.list().records).toHaveLength(3);
    expect(other.list()).toEqual(store.list());
  });

  it("keeps the link when its file is a link", async () => {
    const { root, path } = open();
    const real = join(root, "elsewhere.json");
    writeFileSync(real, '{"version":1,"cards":{}}');
    symlinkSync(real, path);
    const { store } = open(root);
    await store.save(record);
    expect(JSON.parse(readFileSync(real, "utf8"))).toMatchObject({ version: 1 });
    expect(store.read("ollama", "qwen3:8b", address)).toEqual(record);
  });
});

describe("a damaged capability store", () => {
  it("reports an unreadable file, and renames it when the next record is saved", async () => {
    const { root, path, store } = open();
    writeFileSync(path, '{"version": 1, "cards": {');
    expect(store.read("ollama", "qwen3:8b", address)).toBeUndefined();
    expect(store.list().problems).toEqual([expect.stringContaining(`${path} is not valid JSON (line 1, column 26`)]);
    expect(readFileSync(path, "utf8")).toBe('{"version": 1, "cards": {');
    const saved = await store.save(record);
    expect(saved).toEqual({ problems: [expect.stringContaining("cards.json.broken")] });
    const [aside = ""] = readdirSync(root).filter((name) => name.startsWith("cards.json.broken-"));
    expect(readFileSync(join(root, aside), "utf8")).toBe('{"version": 1, "cards": {');
    expect(store.list()).toEqual({ records: [record], problems: [] });
    writeFileSync(path, "[]");
    await store.save(record);
    expect(readdirSync(root).filter((name) => name.startsWith("cards.json.broken-"))).toHaveLength(2);
  });

  it("ignores only the damaged record, and keeps it in the file", async () => {
    const { path, store } = open();
    await store.save(record);
    const file = JSON.parse(readFileSync(path, "utf8"));
    const key = JSON.stringify(["ollama", address, "moved"]);
    writeFileSync(
      path,
      JSON.stringify({ ...file, cards: { ...file.cards, odd: { model: 1 }, [key]: record }, later: true }),
    );
    expect(store.list().records).toEqual([record]);
    expect(store.list().problems).toHaveLength(2);
    expect(store.read("ollama", "moved", address)).toBeUndefined();
    await store.save({ ...record, model: "other" });
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ cards: { odd: { model: 1 } }, later: true });
  });

  it("leaves a file of a newer harness alone", async () => {
    const { path, store } = open();
    writeFileSync(path, '{"version":2,"cards":[]}');
    expect(store.list().problems).toEqual([expect.stringContaining("newer version of harness")]);
    expect(await store.save(record)).toEqual({ problem: expect.stringContaining("Nothing was saved") });
    expect(readFileSync(path, "utf8")).toBe('{"version":2,"cards":[]}');
  });

  it("does not hang when its file is a pipe", async () => {
    const { path, store } = open();
    execFileSync("mkfifo", [path]);
    expect(store.read("ollama", "qwen3:8b", address)).toBeUndefined();
    expect(await store.save(record)).toEqual({ problem: expect.stringContaining("not a regular file") });
  });

  it("reports that a record could not be saved when its folder is a file", async () => {
    const root = join(mkdtempSync(join(tmpdir(), "cards-")), "file");
    writeFileSync(root, "");
    const { store } = open(root);
    expect(store.list()).toEqual({ records: [], problems: [] });
    expect(await store.save(record)).toEqual({
      problem: expect.stringContaining("Could not save what is known about models"),
    });
  });
});
