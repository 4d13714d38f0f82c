import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLogFile } from "./log-file.ts";
import { redact } from "./secrets/redact.ts";

let logs = "";
const path = () => join(logs, "harness.log");
const text = () => readFileSync(path(), "utf8");

beforeEach(() => {
  logs = join(mkdtempSync(join(tmpdir(), "log-")), "logs");
});
afterEach(() => rmSync(join(logs, ".."), { recursive: true, force: true }));

describe("the log file", () => {
  it("is created with its first entry, for this user only", () => {
    const log = openLogFile({ logs });
    expect(existsSync(logs)).toBe(false);
    log.write("error", "session/prompt", new Error("it broke"));
    log.write("info", "start", "two\nlines");
    log.write("debug", "value", { deep: [1, 2] });
    expect(text()).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z \d+ error session\/prompt: Error: it broke\n {4,}at /);
    expect(text()).toContain("info start: two\n    lines\n");
    expect(text()).toContain("debug value: { deep: [ 1, 2 ] }");
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  it("keeps one megabyte and two older files", () => {
    const log = openLogFile({ logs });
    const line = "x".repeat(60_000);
    for (let n = 0; n < 80; n += 1) log.write("info", `n${n}`, line);
    expect(readdirSync(logs).sort()).toEqual(["harness.log", "harness.log.1", "harness.log.2"]);
    for (const name of readdirSync(logs)) expect(statSync(join(logs, name)).size).toBeLessThanOrEqual(1024 * 1024);
    expect(text()).toContain("info n79:");
  });

  it("is no longer written by one process after the other has rotated it", () => {
    const [one, other] = [openLogFile({ logs }), openLogFile({ logs })];
    const line = "x".repeat(60_000);
    for (let n = 0; n < 20; n += 1) (n % 2 === 0 ? one : other).write("info", `n${n}`, line);
    for (const log of [one, other]) for (let n = 0; n < 17; n += 1) log.write("info", `m${n}`, line);
    one.write("info", "last", "one");
    other.write("info", "last", "other");
    expect(text().slice(-200)).toMatch(/last: one\n.*last: other\n$/);
  });

  it("cuts a very long entry", () => {
    openLogFile({ logs }).write("info", "x", "y".repeat(10_000_000));
    expect(text().length).toBeLessThan(70_000);
  });

  it("never throws", () => {
    writeFileSync(logs, "a file in the place of the folder");
    const log = openLogFile({ logs });
    const unprintable = {
      get trap(): never {
        throw new Error("no");
      },
      [Symbol.for("nodejs.util.inspect.custom")](): never {
        throw new Error("no");
      },
    };
    for (const detail of [undefined, null, Symbol("s"), 1n, unprintable, "x"]) log.write("error", "w", detail);
    expect(readFileSync(logs, "utf8")).toBe("a file in the place of the folder");
  });

  it("contains no key, neither a known one nor text that looks like one", () => {
    const log = openLogFile({ logs });
    log.addSecret("hunter2+hunter2");
    log.addSecret("");
    log.write("error", "http", `key hunter2+hunter2 and ${encodeURIComponent("hunter2+hunter2")} sk-abcdefghijkl`);
    expect(text()).not.toMatch(/hunter2|sk-abc/);
    expect(text()).toContain("http: key [hidden] and [hidden] [hidden]");
  });
});

describe("redact", () => {
  const hidden: [string, string][] = [
    ["sk-or-v1-0123456789abcdef", "[hidden]"],
    ["sk-ant-api03-AbCd_EfGh-123456", "[hidden]"],
    ["ghp_0123456789abcdefghij", "[hidden]"],
    ["github_pat_11ABCDEFG0123456789_abc", "[hidden]"],
    ["xoxb-1234567890-abc", "[hidden]"],
    ["AIzaSyA0123456789abcdefghij", "[hidden]"],
    ["AKIAIOSFODNN7EXAMPLE", "[hidden]"],
    ["eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl", "[hidden]"],
    ["Authorization: Bearer abc.def-ghi", "Authorization: Bearer [hidden]"],
    ["authorization: 'Basic dXNlcjpwYXNz'", "authorization: 'Basic [hidden]'"],
    ['{"api_key": "0123456789"}', '{"api_key": "[hidden]"}'],
    ["OPENAI_API_KEY=0123456789 x", "OPENAI_API_KEY=[hidden] x"],
    ["https://me:secret@host/x", "https://me:[hidden]@host/x"],
    ["?token=abcdef123&x=1", "?token=[hidden]&x=1"],
  ];
  it.each(hidden)("hides the secret in %s", (before, after) => expect(redact(before, [])).toBe(after));

  const plain = [
    "risk-averse people ask-before-acting",
    "used 1200 tokens: fine",
    "/home/me/src/tokenizer.ts:12:5",
    "http://127.0.0.1:8080/v1/models",
    "20261121-143022-x7f3",
  ];
  it.each(plain)("leaves the plain text %s", (before) => expect(redact(before, ["me"])).toBe(before));
});
