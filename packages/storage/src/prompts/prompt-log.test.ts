import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRedactor } from "../secrets/redactor.ts";
import { openPromptLog, type PromptLog } from "./prompt-log.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "prompt-log-"));
});
afterEach(() => rmSync(root, { recursive: true }));

const KNOWN = "correct-horse-battery-staple";

function opened(options: { maxBytes?: number } = {}): PromptLog {
  return openPromptLog({
    configPaths: { root },
    clock: { now: () => Date.parse("2026-11-23T04:00:00Z") },
    redactor: () => createRedactor([{ name: "OUR_TOKEN", value: KNOWN }]),
    ...options,
  });
}

async function texts(log: PromptLog, query: { limit?: number; cwd?: string } = {}): Promise<string[]> {
  return (await log.list({ limit: 100, ...query })).prompts.map(({ text }) => text);
}

describe("the prompt history", () => {
  it("is empty before anything was typed, and makes no file by being read", async () => {
    expect(await opened().list({ limit: 10 })).toEqual({ prompts: [], problems: [] });
    expect(() => statSync(join(root, "prompt-history.jsonl"))).toThrow();
  });

  it("is a file of the person alone", () => {
    const log = opened();
    expect(log.add({ cwd: "/work", text: "fix the test" })).toEqual({ kept: true });
    expect(statSync(log.path).mode & 0o777).toBe(0o600);
  });

  it("is listed oldest first, each text once, over all folders or for one", async () => {
    const log = opened();
    for (const [cwd, text] of [
      ["/a", "one"],
      ["/b", "two"],
      ["/a", "three\nlines"],
      ["/a", "one"],
    ] as const)
      log.add({ cwd, text });
    expect(await texts(log)).toEqual(["two", "three\nlines", "one"]);
    expect(await texts(log, { cwd: "/a" })).toEqual(["three\nlines", "one"]);
    expect(await texts(log, { limit: 1 })).toEqual(["one"]);
    expect((await log.list({ limit: 1, cwd: "/b" })).prompts).toEqual([
      { at: "2026-11-23T04:00:00.000Z", cwd: "/b", text: "two" },
    ]);
  });

  it("is shared by two processes: neither loses what the other has added", async () => {
    const [one, other] = [opened(), opened()];
    for (let index = 0; index < 50; index++) {
      one.add({ cwd: "/a", text: `one ${index}` });
      other.add({ cwd: "/a", text: `other ${index}` });
    }
    const expected = Array.from({ length: 50 }, (_, index) => [`one ${index}`, `other ${index}`]).flat();
    expect(await texts(one)).toEqual(expected);
    expect(await texts(other)).toEqual(expected);
  });

  it.each([
    [`use ${KNOWN} to log in`, KNOWN],
    ["!export GITHUB_TOKEN=ghp_R4nd0mR4nd0mR4nd0mR4nd0mR4nd0mR4nd0", "R4nd0mR4nd0m"],
    ["curl https://me:hunter22@example.com", "hunter22"],
    ["deploy with --password hunter22 now", "hunter22"],
  ])("keeps no secret: %j", async (typed, secret) => {
    const log = opened();
    log.add({ cwd: "/a", text: typed });
    const [kept = ""] = await texts(log);
    expect(kept).not.toContain(secret);
    expect(kept.slice(0, 4)).toBe(typed.slice(0, 4));
  });

  it("leaves out what is very long, and what is blank", async () => {
    const log = opened();
    expect(log.add({ cwd: "/a", text: "x".repeat(70_000) })).toEqual({ kept: false });
    // Each of these becomes six bytes of the line.
    expect(log.add({ cwd: "/a", text: "\u0001".repeat(20_000) })).toEqual({ kept: false });
    expect(log.add({ cwd: "/a", text: " \n" })).toEqual({ kept: false });
    expect(log.add({ cwd: "/a", text: "é".repeat(30_000) })).toEqual({ kept: true });
    expect(await texts(log)).toEqual(["é".repeat(30_000)]);
  });

  it("skips lines that are damaged and goes on behind one that was cut", async () => {
    const log = opened();
    log.add({ cwd: "/a", text: "before" });
    appendFileSync(log.path, 'no JSON\n{"at":"x"}\n{"at":"2026-11-23T04:00:00Z","cwd":"/a","te');
    log.add({ cwd: "/a", text: "after" });
    expect(await texts(log)).toEqual(["before", "after"]);
  });

  it("has a limit on disk and keeps the newest", async () => {
    const log = opened({ maxBytes: 2_000 });
    for (let index = 0; index < 200; index++) log.add({ cwd: "/a", text: `prompt ${index}` });
    const kept = await texts(log, { limit: 1_000 });
    expect(kept.at(-1)).toBe("prompt 199");
    expect(kept.length).toBeGreaterThan(20);
    expect(statSync(log.path).size + statSync(`${log.path}.1`).size).toBeLessThan(4_200);
  });

  it("says why it cannot be written or read", async () => {
    const log = opened();
    rmSync(root, { recursive: true });
    writeFileSync(root, "a file where the folder should be");
    expect(log.add({ cwd: "/a", text: "lost" })).toMatchObject({
      kept: false,
      problem: expect.stringContaining(log.path),
    });
    expect((await log.list({ limit: 10 })).problems.length).toBeGreaterThan(0);
  });
});
