import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RequestFile, readRequestFile, requestFilePath } from "./request-file.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "requests-"));
  path = requestFilePath([join(folder, "blobs"), "/parent/blobs"]) ?? "";
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the file with the requests of a session", () => {
  it("is beside its log, and nowhere for a session that leaves nothing behind", () => {
    expect(path).toBe(join(folder, "requests.jsonl"));
    expect(requestFilePath([])).toBeUndefined();
  });

  it("has each text once, also after another process has written to it", () => {
    const first = new RequestFile(path);
    const name = first.keep("You are an agent.");
    expect(first.keep("You are an agent.")).toBe(name);
    first.append({ system: name });
    const second = new RequestFile(path);
    expect(second.keep("You are an agent.")).toBe(name);
    second.append({ system: name });
    const { entries, texts, bad } = readRequestFile(path);
    expect(entries).toEqual([{ system: name }, { system: name }]);
    expect([...texts]).toEqual([[name, "You are an agent."]]);
    expect(bad).toBe(0);
    expect(readFileSync(path, "utf8").split("You are an agent.")).toHaveLength(2);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("is read up to a line that a kill has cut, and goes on behind it", () => {
    const file = new RequestFile(path);
    file.append({ first: 1 });
    const whole = statSync(path).size;
    for (const cut of ['{"second"', '{"text":"half a te']) {
      writeFileSync(path, readFileSync(path).subarray(0, whole));
      appendFileSync(path, cut);
      expect(readRequestFile(path)).toMatchObject({ entries: [{ first: 1 }], bad: 1 });
      const next = new RequestFile(path);
      const name = next.keep("a text");
      expect(readRequestFile(path).texts.size).toBe(0);
      next.append({ third: name });
      expect(readRequestFile(path)).toMatchObject({ entries: [{ first: 1 }, { third: name }], bad: 1 });
    }
  });

  it("writes a text again after a disk that was full", () => {
    const file = new RequestFile(path);
    const name = file.keep("a text");
    mkdirSync(path);
    expect(() => file.append({ a: name })).toThrow();
    rmdirSync(path);
    file.append({ b: file.keep("a text") });
    expect(readRequestFile(path)).toEqual({ entries: [{ b: name }], texts: new Map([[name, "a text"]]), bad: 0 });
  });

  it("leaves out a text that is not what its name says, and what is no object", () => {
    writeFileSync(path, `${JSON.stringify({ text: "forged", sha256: "0".repeat(64) })}\nnull\n[1]\n{"a":1}\n`);
    expect(readRequestFile(path)).toEqual({ entries: [{ a: 1 }], texts: new Map(), bad: 3 });
  });

  it("is no link to another file", () => {
    writeFileSync(join(folder, "other"), '{"a":1}\n');
    symlinkSync(join(folder, "other"), path);
    expect(() => readRequestFile(path)).toThrow();
  });

  it("is empty where nothing was recorded", () => {
    expect(readRequestFile(path)).toEqual({ entries: [], texts: new Map(), bad: 0 });
  });
});
