import {
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
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeNewFile } from "./atomic-write.ts";
import { errorCode } from "./error-code.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "new files "));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function codeOf(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return errorCode(error);
  }
}

describe("a new file", () => {
  it("has its content and its mode, and nothing beside it", () => {
    writeNewFile(join(folder, "a"), "text", { mode: 0o755, durable: "name" });
    expect(readFileSync(join(folder, "a"), "utf8")).toBe("text");
    expect(statSync(join(folder, "a")).mode & 0o700).toBe(0o700);
    expect(readdirSync(folder)).toEqual(["a"]);
  });

  it("never replaces an existing file or folder", () => {
    writeFileSync(join(folder, "a"), "old");
    mkdirSync(join(folder, "b"));
    for (const name of ["a", "b"]) expect(codeOf(() => writeNewFile(join(folder, name), "new"))).toBe("EEXIST");
    expect(readFileSync(join(folder, "a"), "utf8")).toBe("old");
    expect(readdirSync(folder).sort()).toEqual(["a", "b"]);
  });

  it("is not there where it could not be written, and neither is what was begun", () => {
    // A text that cannot be written once its file exists simulates a disk that is full by then.
    const text = Object("text") as unknown as string;
    expect(() => writeNewFile(join(folder, "a"), text)).toThrow();
    expect(readdirSync(folder)).toEqual([]);
    writeNewFile(join(folder, "a"), "text");
    expect(existsSync(join(folder, "a"))).toBe(true);
  });
});
