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
  file = new OutputFile(join(folder, "output"), MAX_BYTES);
});
afterEach(() => {
  file.close();
  rmSync(folder, { recursive: true });
});

it("keeps the newest lines in their order while the process goes on printing", async () => {
  const printing = spawn("bash", ["-c", "seq 1 4000000; echo printed >&2; read -r; echo end"], {
    stdio: ["pipe", file.descriptor, "pipe"],
  });
  let hasPrinted = false;
  printing.stderr?.once("data", () => {
    hasPrinted = true;
  });
  const ended = new Promise((done) => printing.once("close", done));
  let cuts = 0;
  while (!hasPrinted) {
    const before = file.read(0, 0).offset;
    file.cut();
    if (file.read(0, 0).offset > before) cuts += 1;
    await new Promise((done) => setImmediate(done));
  }
  printing.stdin?.end("\n");
  await ended;
  expect(cuts).toBeGreaterThan(0);
  const lines = readFileSync(file.path, "utf8").split("\n");
  expect(lines.slice(-2)).toEqual(["end", ""]);
  const numbers = lines.slice(1, -2).map(Number);
  const missing = Number(numbers.at(-1)) - Number(numbers[0]) + 1 - numbers.length;
  // Less than nothing is missing where older lines come after newer ones.
  expect(missing).toBeGreaterThanOrEqual(0);
  expect(missing).toBeLessThan(numbers.length / 10);
});
