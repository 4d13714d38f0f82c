import { spawnSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../../test/trial.ts";
import { createGrep } from "../grep.ts";

const hasRipgrep = spawnSync("rg", ["--version"]).status === 0;

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());

describe.skipIf(!hasRipgrep)("what ripgrep finds is found again", () => {
  const grep = createGrep({ timeoutMs: 20_000 });
  const found = async (pattern: string) => (await trial.run(grep, { pattern })).text;

  it.each<[string, string | Uint8Array, string, string]>([
    ["Windows line ends", "one\r\nneedle here\r\n", "needle", "a:2:needle here"],
    ["no line end at the end", "one\nneedle", "needle", "a:2:needle"],
    ["a byte order mark", "\uFEFFneedle\n", "needle", "a:1:needle"],
    [
      "UTF-16",
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("x\nneedle\n", "utf16le")]),
      "needle",
      "a:2:needle",
    ],
    ["bytes that are not UTF-8", Buffer.from("caf\xe9 needle\n", "latin1"), "needle", "a:1:café needle"],
    ["characters of several bytes", "ä€😀 needle\n", "needle", "a:1:ä€😀 needle"],
    ["a line far below", `${"x\n".repeat(400_000)}needle\n`, "needle", "a:400001:needle"],
  ])("in a file with %s", async (_what, content, pattern, shown) => {
    trial.file("a", content);
    expect(await found(pattern)).toBe(shown);
  });

  it.each([
    ["ASCII", "x"],
    ["characters of several bytes", "€"],
  ])("in a line that is too long to be shown, of %s", async (_what, letter) => {
    trial.file("a", `one\nneedle${letter.repeat(5_000)} needle\n`);
    expect(await found("needle")).toMatch(/^a:2:needle.{50,}/);
  });

  it("in many files", async () => {
    for (let n = 0; n < 120; n++) trial.file(`src/f${n}`, `${"\n".repeat(n)}needle ${n}\n`);
    expect((await found("needle")).split("\n")).toHaveLength(120);
  });
});
