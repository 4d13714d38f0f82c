import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { OutputFile } from "./output-file.ts";

const MAX_BYTES = 8_000_000;
let folder: string;
let file: OutputFile;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "output-file-"));
  writeFileSync(join(folder, "output"), "");
  file = new OutputFile(join(folder, "output"), { maxBytes: MAX_BYTES });
});
afterEach(() => {
  file.close();
  rmSync(folder, { recursive: true });
});

it("keeps the newest lines in their order while the process goes on printing", async () => {
  // It prints until it is stopped: how soon the file is cut depends on the machine.
  const script = "from=1; until read -r -t 0; do seq $from $((from + 99999)); from=$((from + 100000)); done; echo end";
  const printing = spawn("bash", ["-c", script], { stdio: ["pipe", file.descriptor, "inherit"] });
  const ended = new Promise((done) => printing.once("close", done));
  for (let cuts = 0; cuts < 3; ) {
    const before = file.read(0, 0).offset;
    file.cut();
    if (file.read(0, 0).offset > before) cuts += 1;
    await new Promise((done) => setImmediate(done));
  }
  printing.stdin?.end("\n");
  await ended;
  const lines = readFileSync(file.path, "utf8").split("\n");
  expect(lines.slice(-2)).toEqual(["end", ""]);
  const numbers = lines.slice(1, -2).map(Number);
  const missing = Number(numbers.at(-1)) - Number(numbers[0]) + 1 - numbers.length;
  // Less than nothing is missing where older lines come after newer ones.
  expect(missing).toBeGreaterThanOrEqual(0);
  expect(missing).toBeLessThan(numbers.length / 10);
});
