import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLiveOutput } from "./live-output.ts";
import { createOutputCapture } from "./output-capture.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "harness-capture-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function spill(): string {
  const path = join(folder, "full.txt");
  writeFileSync(path, "", { flag: "wx" });
  return path;
}

describe("captured output", () => {
  it("is the same in whatever pieces it arrives", () => {
    const source = Buffer.from(`${"löng line with ünïcode €\n".repeat(1300)}end`);
    const whole = createOutputCapture(spill, {});
    whole.take(source);
    const expected = whole.end();
    rmSync(join(folder, "full.txt"));
    for (const pieceBytes of [1, 7, 4096]) {
      const capture = createOutputCapture(spill, {});
      for (let at = 0; at < source.length; at += pieceBytes) capture.take(source.subarray(at, at + pieceBytes));
      expect(capture.end()).toEqual(expected);
      expect(readFileSync(join(folder, "full.txt"))).toEqual(source);
      rmSync(join(folder, "full.txt"));
    }
  });

  it("is folded before it is measured: frames of progress leave nothing else out", () => {
    const frames = (name: string) =>
      Array.from({ length: 1_500 }, (_, n) => `\r${name}: ${n + 1} of 1500 [===>  ]`).join("");
    const printed = `step 1\n${frames("a")}\nstep 2\n${frames("b")}\nBUILD FAILED\n`;
    const capture = createOutputCapture(spill, {});
    for (let at = 0; at < printed.length; at += 777) capture.take(Buffer.from(printed.slice(at, at + 777)));
    const { text, fullOutputPath = "" } = capture.end();
    expect(text).toBe("step 1\na: 1500 of 1500 [===>  ]\nstep 2\nb: 1500 of 1500 [===>  ]\nBUILD FAILED\n");
    expect(readFileSync(fullOutputPath, "utf8")).toBe(printed);
  });

  it("has no file when it is short", () => {
    const capture = createOutputCapture(() => {
      throw new Error("not needed");
    }, {});
    expect(capture.take(Buffer.from("short\n"))).toBe(true);
    expect(capture.end()).toEqual({ text: "short\n", notText: false });
  });

  it("is stored without NULs, so that its file can be read as text", () => {
    const capture = createOutputCapture(spill, {});
    capture.take(Buffer.from(`a\0b\n${"x\n".repeat(20_000)}`));
    expect(capture.end()).toMatchObject({ notText: true, fullOutputPath: join(folder, "full.txt") });
    expect(readFileSync(join(folder, "full.txt"), "utf8")).toBe(`ab\n${"x\n".repeat(20_000)}`);
  });

  it("is kept without a file when none can be created", () => {
    const capture = createOutputCapture(() => {
      throw Object.assign(new Error("no"), { code: "ENOSPC" });
    }, {});
    capture.take(Buffer.from("x\n".repeat(20_000)));
    const { text, fullOutputPath } = capture.end();
    expect(text).toContain("the rest could not be saved: no space is left on the disk]");
    expect(fullOutputPath).toBeUndefined();
  });
});

describe("live output", () => {
  it("is never split inside a character", () => {
    const pieces: string[] = [];
    const live = createLiveOutput((text) => pieces.push(text), {});
    for (const byte of Buffer.from("a€b😀")) live.push(Buffer.from([byte]));
    live.end();
    expect(pieces.join("")).toBe("a€b😀");
    for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
  });

  it("is decoded like the result, and only the last frame of a line is sent", () => {
    const pieces: string[] = [];
    const live = createLiveOutput((text) => pieces.push(text), {});
    live.push(Buffer.from("Straße\n", "latin1"));
    const frames = Array.from({ length: 30_000 }, (_, n) => `\rfetched ${n + 1} of 30000`).join("");
    for (let at = 0; at < frames.length; at += 777) live.push(Buffer.from(frames.slice(at, at + 777)));
    live.end();
    expect(pieces.join("")).toMatch(/^Straße\n\r/);
    expect(pieces.join("")).toMatch(/\rfetched 30000 of 30000$/);
    expect(pieces.join("").length).toBeLessThan(10_000);
  });

  it("arrives in few pieces, and in samples when there is too much", () => {
    const pieces: string[] = [];
    const live = createLiveOutput((text) => pieces.push(text), {});
    for (let i = 0; i < 100_000; i++) live.push(Buffer.from(`line ${i} of very many\n`));
    live.end();
    expect(pieces.length).toBeLessThan(100);
    expect(pieces.join("").length).toBeLessThan(400_000);
    expect(pieces[0]).toMatch(/^line 0 of/);
    expect(pieces.at(-1)).toMatch(/line 99999 of very many\n$/);
  });
});
