import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { diskFile } from "./disk-file.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "disk-file-")));
beforeAll(() => {
  mkdirSync(join(top, "real"));
  writeFileSync(join(top, "real/a.txt"), "a\n");
  symlinkSync(join(top, "real"), join(top, "link"));
  symlinkSync(join(top, "real/a.txt"), join(top, "b.txt"));
  execFileSync("mkfifo", [join(top, "pipe")]);
});
afterAll(() => rmSync(top, { recursive: true }));

it("is the file at its own path", async () => {
  expect((await diskFile(join(top, "real/a.txt")))?.bytes.toString()).toBe("a\n");
});

it.each([
  "real/gone.txt",
  "real",
  "b.txt",
  "pipe",
  // Only Linux tells where an open file is.
  ...(process.platform === "linux" ? ["link/a.txt"] : []),
])("is none at %s", async (name) => {
  expect(await diskFile(join(top, name))).toBeUndefined();
});
