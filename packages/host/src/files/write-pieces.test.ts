import { execFileSync } from "node:child_process";
import {
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
import { writePieces } from "./write-pieces.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pieces-"));
});
afterEach(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

describe("writePieces", () => {
  it("writes text and bytes, large and small, and says how many bytes", async () => {
    const pieces = ["é".repeat(300_000), Buffer.from([0, 255]), "", "end"];
    expect(await writePieces(at("a"), pieces)).toBe(600_005);
    expect(readFileSync(at("a"))).toEqual(Buffer.concat(pieces.map((piece) => Buffer.from(piece as string))));
    expect(statSync(at("a")).mode & 0o777).toBe(0o600);
    expect(await writePieces(at("empty"), [])).toBe(0);
  });

  it("replaces a file only when told to, also behind a link, and nothing that is no file", async () => {
    writeFileSync(at("a"), "mine");
    symlinkSync(at("a"), at("link"));
    mkdirSync(at("dir"));
    await expect(writePieces(at("a"), ["new"])).rejects.toMatchObject({ code: "EEXIST" });
    expect(readFileSync(at("a"), "utf8")).toBe("mine");
    await writePieces(at("link"), ["new"], { replace: true });
    expect(readFileSync(at("a"), "utf8")).toBe("new");
    execFileSync("mkfifo", [at("pipe")]);
    symlinkSync(at("pipe"), at("to-pipe"));
    for (const name of [at("dir"), "/dev/null", at("pipe"), at("to-pipe")])
      await expect(writePieces(name, ["new"], { replace: true })).rejects.toMatchObject({ code: "EEXIST" });
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });

  it("leaves nothing behind where a piece cannot be made, or the file cannot be written", async () => {
    function* failing() {
      yield "x".repeat(600_000);
      throw new Error("no more");
    }
    await expect(writePieces(at("a"), failing())).rejects.toThrow("no more");
    await expect(writePieces(at("gone/a"), ["x"])).rejects.toMatchObject({ code: "ENOENT" });
    expect(readdirSync(folder)).toEqual([]);
  });
});
