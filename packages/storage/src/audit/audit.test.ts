import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
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
import type { AuditDecision } from "@harness/gate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRedactor } from "../secrets/redactor.ts";
import { openAudit } from "./open-audit.ts";

let base = "";
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "audit-"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const KEY = "plainvalue-4f7a9c2e8b1d";
const root = () => join(base, "home");
const path = () => join(root(), "audit.jsonl");
const redactor = createRedactor([{ name: "MY_KEY", value: KEY }]);
const open = (mostBytes?: number) =>
  openAudit({
    configPaths: { root: root() },
    clock: { now: () => Date.parse("2026-11-22T10:00:00Z") },
    redactor: () => redactor,
    ...(mostBytes === undefined ? {} : { mostBytes }),
  });
const decision = (over: Partial<AuditDecision> = {}): AuditDecision => ({
  monotonicMs: 12.5,
  sessionId: "20261122-100000-aaaaaa",
  toolCallId: "c1",
  tool: "bash",
  text: "npm test",
  cwd: "/w",
  verdict: "allowed",
  by: "read-only",
  auto: true,
  mode: "default",
  risk: "safe",
  ...over,
});
const lines = (file = path()) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe("the audit log", () => {
  it("reads lines of older versions, with today's names of modes", async () => {
    const audit = open();
    audit.decided(decision({ toolCallId: "c1" }));
    const [line] = lines();
    writeFileSync(path(), ["auto", "plan"].map((mode) => `${JSON.stringify({ ...line, mode })}\n`).join(""));
    const { entries, problems } = await open().list({ last: 10 });
    expect([entries.map(({ mode }) => mode), problems]).toEqual([["allow-all", "deny"], []]);
  });

  it("has one line for a decision and one for the end of the call, and joins them when it is read", async () => {
    const audit = open();
    expect(audit.decided(decision())).toBe(true);
    expect(audit.decided(decision({ toolCallId: "c2", verdict: "denied", by: "bash(rm)" }))).toBe(true);
    audit.ended({ sessionId: decision().sessionId, toolCallId: "c1", durationMs: 7.4, status: "ok", exitCode: 0 });
    expect(lines().map(({ kind, toolCallId }) => `${kind} ${toolCallId}`)).toEqual([
      "decided c1",
      "decided c2",
      "ended c1",
    ]);
    expect(await audit.list({ last: 10 })).toEqual({
      entries: [
        {
          at: "2026-11-22T10:00:00.000Z",
          ...decision(),
          sha256: createHash("sha256").update("npm test").digest("hex"),
          durationMs: 7,
          status: "ok",
          exitCode: 0,
        },
        expect.objectContaining({ toolCallId: "c2", verdict: "denied", by: "bash(rm)" }),
      ],
      problems: [],
    });
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(statSync(root()).mode & 0o777).toBe(0o700);
  });

  it("lists the newest entries of all sessions, or of one by its id or the beginning of its id", async () => {
    const audit = open();
    for (let n = 0; n < 2_000; n += 1) {
      audit.decided(
        decision({ sessionId: `2026-${n % 2 ? "odd" : "even"}`, toolCallId: `c${n}`, text: `é${"x".repeat(n % 700)}` }),
      );
    }
    const ids = async (query: { last: number; sessionId?: string }) =>
      (await audit.list(query)).entries.map(({ toolCallId }) => toolCallId);
    expect(await ids({ last: 3 })).toEqual(["c1997", "c1998", "c1999"]);
    expect(await ids({ last: 2, sessionId: "2026-even" })).toEqual(["c1996", "c1998"]);
    expect(await ids({ last: 2, sessionId: "2026-o" })).toEqual(["c1997", "c1999"]);
    expect(await ids({ last: 2, sessionId: "x" })).toEqual([]);
    expect(await ids({ last: 9_999 })).toHaveLength(2_000);
  });

  it("contains no secrets, but the hash of the original text", async () => {
    const audit = open();
    const texts = [
      `curl -H "Authorization: Bearer ${"a1b2c3d4e5".repeat(3)}" https://me:hunter2secret@host/`,
      `echo ${KEY} sk-proj-a1B2c3D4e5F6g7H8i9J0`,
      `${"y".repeat(16_370)}${KEY}`,
    ];
    for (const text of texts) audit.decided(decision({ text, by: `bash(echo ${KEY})` }));
    const written = readFileSync(path(), "utf8");
    for (const secret of ["a1b2c3d4e5a1", "hunter2secret", KEY, "a1B2c3D4e5F6"]) expect(written).not.toContain(secret);
    const { entries } = await audit.list({ last: 3 });
    expect(entries[1]?.text).toMatch(/^echo \[secret MY_KEY\] /);
    expect(new Set(entries.map(({ sha256 }) => sha256)).size).toBe(3);
  });

  it.each([
    ["long", "x".repeat(1_000_000)],
    ["of many bytes", "\u0001".repeat(5_000)],
    ["of pictures", "🎉".repeat(5_000)],
    ["no well-formed text", "\ud800".repeat(5_000)],
  ])("cuts text that is %s, so that a line is one short write", async (_name, text) => {
    const audit = open();
    audit.decided(decision({ text, cwd: `/${text}`, by: text, tool: text, toolCallId: text }));
    audit.ended({ sessionId: text, toolCallId: text, status: text, durationMs: 1 });
    for (const line of readFileSync(path(), "utf8").split("\n")) expect(Buffer.byteLength(line)).toBeLessThan(4_096);
    expect((await audit.list({ last: 9 })).entries).toHaveLength(1);
  });

  it("rotates, keeps three older files, and lists entries from all of them", async () => {
    const audit = open(2_000);
    for (let n = 0; n < 40; n += 1) audit.decided(decision({ toolCallId: `c${n}` }));
    expect(readdirSync(root()).sort()).toEqual(
      ["audit.jsonl", "audit.jsonl.1", "audit.jsonl.2", "audit.jsonl.3"].slice(existsSync(path()) ? 0 : 1),
    );
    const { entries } = await audit.list({ last: 1_000 });
    expect(entries.length).toBeGreaterThan(15);
    expect(entries.length).toBeLessThan(40);
    expect(entries.at(-1)?.toolCallId).toBe("c39");
    expect(entries.map(({ toolCallId }) => Number(toolCallId.slice(1)))).toEqual(
      Array.from({ length: entries.length }, (_, n) => n + 40 - entries.length),
    );
  });

  it("reports in its first line that it was emptied", async () => {
    const audit = open(1_000);
    for (let n = 0; n < 8; n += 1) audit.decided(decision({ toolCallId: `c${n}` }));
    const before = (await audit.list({ last: 1_000 })).entries.length;
    expect(await audit.clear()).toEqual({ removedEntries: before });
    expect(readdirSync(root())).toEqual(["audit.jsonl"]);
    expect(lines()).toEqual([{ kind: "cleared", at: "2026-11-22T10:00:00.000Z", removedEntries: before }]);
    audit.decided(decision({ toolCallId: "new" }));
    expect(await audit.list({ last: 5 })).toEqual({
      entries: [expect.objectContaining({ toolCallId: "new" })],
      problems: [`The log was cleared at 2026-11-22T10:00:00.000Z; ${before} entries were removed.`],
    });
  });

  it("can be emptied when it does not exist", async () => {
    expect(await open().clear()).toEqual({ removedEntries: 0 });
    expect(await open().list({ last: 5 })).toMatchObject({ entries: [] });
  });
});

describe("a faulty audit log", () => {
  it("lists nothing and reports no problem when the file does not exist", async () => {
    expect(await open().list({ last: 5 })).toEqual({ entries: [], problems: [] });
    expect(existsSync(root())).toBe(false);
  });

  it("starts the next entry on a line of its own after a torn one, and reports the damage", async () => {
    const audit = open();
    audit.decided(decision());
    appendFileSync(path(), '{"kind":"decided","at":"20');
    audit.decided(decision({ toolCallId: "c2" }));
    appendFileSync(path(), `{"kind":"other"}\n\u0000${"z".repeat(300_000)}\n`);
    const { entries, problems } = await audit.list({ last: 5 });
    expect(entries.map(({ toolCallId }) => toolCallId)).toEqual(["c1", "c2"]);
    expect(problems).toEqual(["3 lines are damaged and not shown."]);
  });

  it("becomes private when others could write it", () => {
    mkdirSync(root(), { recursive: true });
    writeFileSync(path(), "");
    chmodSync(path(), 0o666);
    expect(open().decided(decision())).toBe(true);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  it.each<[string, () => void]>([
    ["a folder", () => mkdirSync(path(), { recursive: true })],
    [
      "a named pipe",
      () => {
        mkdirSync(root());
        execFileSync("mkfifo", [path()]);
      },
    ],
    ["below a file", () => writeFileSync(root(), "")],
  ])("reports failure, writes nothing and does not hang when its path is %s", async (_name, make) => {
    make();
    const audit = open();
    expect(audit.decided(decision())).toBe(false);
    audit.ended({ sessionId: "s", toolCallId: "c", durationMs: 1, status: "ok" });
    const { entries, problems } = await audit.list({ last: 5 });
    expect(entries).toEqual([]);
    expect(problems.length).toBeLessThanOrEqual(4);
  });

  it.skipIf(!existsSync("/dev/full"))("reports that nothing was written when the disk is full", () => {
    mkdirSync(root());
    execFileSync("ln", ["-s", "/dev/full", path()]);
    expect(open().decided(decision())).toBe(false);
  });
});

it("the audit log loses and mixes no lines when several processes write it while it rotates", async () => {
  const module = new URL("open-audit.ts", import.meta.url).href;
  const redactors = new URL("../secrets/redactor.ts", import.meta.url).href;
  const writer = (name: string) =>
    spawn(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `import { openAudit } from ${JSON.stringify(module)};
         import { createRedactor } from ${JSON.stringify(redactors)};
         const redactor = createRedactor([]);
         const audit = openAudit({ configPaths: { root: ${JSON.stringify(root())} }, clock: Date, redactor: () => redactor, mostBytes: 100_000 });
         process.stdout.write("ready");
         await new Promise((go) => process.stdin.once("data", go));
         for (let n = 0; n < 150; n += 1) {
           const decision = { ...${JSON.stringify(decision({ text: "x".repeat(500) }))}, toolCallId: "${name}" + n };
           if (!audit.decided(decision)) throw new Error("not written");
         }
         process.exit(0);`,
      ],
      { stdio: ["pipe", "pipe", "inherit"] },
    );
  const both = [writer("a"), writer("b")];
  await Promise.all(both.map((each) => once(each.stdout, "data")));
  for (const each of both) each.stdin.write("go");
  const codes = await Promise.all(both.map(async (each) => (await once(each, "exit"))[0]));
  expect(codes).toEqual([0, 0]);
  const { entries, problems } = await open().list({ last: 1_000 });
  expect(problems).toEqual([]);
  expect(new Set(entries.map(({ toolCallId }) => toolCallId)).size).toBe(300);
  expect(readdirSync(root()).filter((name) => !name.startsWith("audit.jsonl"))).toEqual([]);
});
