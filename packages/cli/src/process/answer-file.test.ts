import { spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeAnswer } from "./answer-file.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "answer-file-")));
const at = (name: string) => join(top, name);
const textOf = (name: string) => readFileSync(at(name), "utf8");

beforeAll(() => {
  writeFileSync(at("there"), "what was there, and is longer\n");
  chmodSync(at("there"), 0o640);
  symlinkSync(at("there"), at("link"));
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

describe("a file for the answer", () => {
  it("is made", async () => {
    await writeAnswer(at("new"), "new\n");
    expect(textOf("new")).toBe("new\n");
  });

  it("is replaced as a whole where a link leads, with its mode", async () => {
    const before = statSync(at("there")).ino;
    await writeAnswer(at("link"), "short\n");
    expect(textOf("there")).toBe("short\n");
    expect(readlinkSync(at("link"))).toBe(at("there"));
    expect(statSync(at("there")).mode & 0o777).toBe(0o640);
    expect(statSync(at("there")).ino).not.toBe(before);
  });

  it("stays as it was where the answer cannot be written, and nothing is left beside it", async () => {
    mkdirSync(at("folder"));
    await expect(writeAnswer(at("folder"), "x")).rejects.toMatchObject({ code: "EISDIR" });
    await expect(writeAnswer(at("none/x"), "x")).rejects.toMatchObject({ code: "ENOENT" });
    expect(readdirSync(top).filter((name) => name.startsWith(".harness"))).toEqual([]);
  });

  it.runIf(process.platform === "linux")("may be a pipe, a device or a stream of the process", async () => {
    expect(spawnSync("mkfifo", [at("pipe")]).status).toBe(0);
    const reader = openSync(at("pipe"), "r+");
    await writeAnswer(at("pipe"), "through\n");
    const piece = Buffer.alloc(8);
    readSync(reader, piece);
    closeSync(reader);
    expect(piece.toString()).toBe("through\n");
    await writeAnswer("/dev/null", "gone\n");
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
    const log = openSync(at("log"), "a");
    const script = `import("${join(import.meta.dirname, "answer-file.ts")}").then(async ({ writeAnswer }) => {
      console.log("before"); await writeAnswer(process.argv[1], "answer\\n"); console.log("after"); });`;
    for (const path of ["/dev/stdout", at("log")])
      spawnSync(process.execPath, ["--input-type=module", "-e", script, path], { stdio: ["ignore", log, "inherit"] });
    closeSync(log);
    expect(textOf("log")).toBe("before\nanswer\nafter\n".repeat(2));
  });
});
