import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { takeLock, thisProcess } from "../locks/lock-file.ts";
import { writtenByOwnerOnly } from "./file-access.ts";
import { type Contents, PrivateFile, type PrivateFileOptions } from "./private-file.ts";

let folder = "";
const path = () => join(folder, "new", "names.json");
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "private-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function parse(bytes: Buffer): Contents<string[]> {
  const text = bytes.toString();
  if (text.startsWith("[")) return { value: JSON.parse(text), problems: [], state: "usable" };
  if (text.startsWith("newer")) return { value: [], problems: ["It is newer."], state: "refused" };
  return { value: [], problems: ["It is broken."], state: "broken" };
}

function open(more: Partial<PrivateFileOptions<string[]>> = {}) {
  const format = (value: string[]) => JSON.stringify(value);
  return new PrivateFile<string[]>({
    path: path(),
    what: "the names",
    maxBytes: 100,
    empty: [],
    parse,
    format,
    ...more,
  });
}

function write(text: string, mode = 0o600): void {
  mkdirSync(join(folder, "new"), { recursive: true });
  writeFileSync(path(), text);
  chmodSync(path(), mode);
}

const add = (name: string) => (names: string[]) => [...names, name];

describe("a private file", () => {
  it("is created with its folder for this user only, and leaves no lock behind", () => {
    const file = open();
    expect(file.current()).toEqual({ value: [], problems: [], state: "usable" });
    expect(file.change(add("a"))).toEqual({});
    expect(file.current().value).toEqual(["a"]);
    expect(readdirSync(join(folder, "new"))).toEqual(["names.json"]);
    expect([statSync(path()).mode & 0o777, statSync(join(folder, "new")).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it("is read again when another process has changed it", () => {
    const [file, other] = [open(), open()];
    file.change(add("a"));
    expect(other.current().value).toEqual(["a"]);
    other.change(add("b"));
    expect(file.current().value).toEqual(["a", "b"]);
    write('["c"]');
    expect([file.current().value, other.current().value]).toEqual([["c"], ["c"]]);
  });

  it("stays untouched when a change returns nothing", () => {
    write('[ "a" ]');
    expect(open().change(() => undefined)).toEqual({});
    expect(readFileSync(path(), "utf8")).toBe('[ "a" ]');
  });

  it("stays a link when it is one", () => {
    const real = join(folder, "elsewhere.json");
    writeFileSync(real, "[]");
    mkdirSync(join(folder, "new"));
    symlinkSync(real, path());
    open().change(add("a"));
    expect(readFileSync(real, "utf8")).toBe('["a"]');
  });
});

describe("a private file that cannot be used", () => {
  it("stays in place while it is broken, and is kept as a copy when a new one is written", () => {
    write("{ broken");
    const full = open({
      format: () => {
        throw new Error("the disk is full");
      },
    });
    expect(full.change(add("a"))).toMatchObject({ kind: "failed", problem: expect.stringContaining("disk is full") });
    expect([readdirSync(join(folder, "new")), readFileSync(path(), "utf8")]).toEqual([["names.json"], "{ broken"]);
    const { brokenCopy = "" } = open().change(add("a")) as { brokenCopy?: string };
    expect(brokenCopy).toContain("names.json.broken-");
    expect([readFileSync(brokenCopy, "utf8"), readFileSync(path(), "utf8")]).toEqual(["{ broken", '["a"]']);
  });

  it("is never overwritten when it was refused", () => {
    write("newer");
    expect(open().change(add("a"))).toEqual({ kind: "refused", problem: "It is newer. Nothing was saved." });
    expect(readFileSync(path(), "utf8")).toBe("newer");
  });

  it.each<[string, () => void, string]>([
    ["a folder", () => mkdirSync(path(), { recursive: true }), "not a regular file"],
    ["too large", () => write(`["${"x".repeat(200)}"]`), "larger than"],
    [
      "a link to nothing",
      () => symlinkSync(join(folder, "gone"), join(folder, "new", "names.json")),
      "Could not read the names",
    ],
    ["open to others", () => write("[]", 0o666), "can be written by other users"],
  ])("is refused when it is %s", (_kind, make, words) => {
    mkdirSync(join(folder, "new"));
    make();
    const file = open({ access: writtenByOwnerOnly });
    expect(file.current()).toMatchObject({ state: "refused", value: [], problems: [expect.stringContaining(words)] });
    expect(file.change(add("a"))).toMatchObject({
      kind: "refused",
      problem: expect.stringContaining("Nothing was saved"),
    });
    expect(existsSync(`${path()}.lock`)).toBe(false);
  });

  it("is not changed while another process holds its lock, and the error names the owner", () => {
    write("[]");
    const lock = takeLock(`${path()}.lock`, thisProcess("other", "2026-11-22T11:59:00.000Z"));
    const words = /names\.json is being changed by another harness.*names\.json\.lock/;
    expect(open().change(add("a"))).toEqual({ kind: "held", problem: expect.stringMatching(words) });
    if ("release" in lock) lock.release();
    expect(open().change(add("a"))).toEqual({});
  });
});
