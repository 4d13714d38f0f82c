import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "harness stdin "));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Reads its own stdin and prints the result; exits when the reading ends. */
const reader = `
  import { readStdin } from ${JSON.stringify(join(import.meta.dirname, "stdin-text.ts"))};
  const warnings = [];
  const warn = (warning) => {
    warnings.push(warning);
    process.stderr.write(warning);
  };
  const text = await readStdin({ isExtra: process.argv[1] === "extra", warn }).catch((error) => "refused: " + error.message);
  process.stdout.write(JSON.stringify({ text: text.slice(0, 200), characters: text.length, warnings }));
  process.exit(0);
`;

type Reading = { text: string; characters: number; warnings: string[] };

function start(
  stdin: "pipe" | "ignore" | number,
  role: "extra" | "prompt",
): { child: ChildProcess; read: Promise<Reading> } {
  const args = ["--input-type=module", "--eval", reader, role];
  const child = spawn(process.execPath, args, { stdio: [stdin, "pipe", "pipe"] });
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const read = new Promise<Reading>((resolve) => child.once("close", () => resolve(JSON.parse(output))));
  return { child, read };
}

describe.concurrent("readStdin", () => {
  it.each(["extra", "prompt"] as const)("reads a pipe to its end (%s)", async (role) => {
    const { child, read } = start("pipe", role);
    child.stdin?.write("Grüße ");
    child.stdin?.end("und mehr");
    expect(await read).toMatchObject({ text: "Grüße und mehr", warnings: [] });
  });

  it("reads a file", async () => {
    const path = join(folder, "prompt.txt");
    writeFileSync(path, "from a file");
    expect(await start(openSync(path, "r"), "extra").read).toMatchObject({ text: "from a file", warnings: [] });
  });

  it("returns nothing for /dev/null without waiting", async () => {
    expect(await start("ignore", "prompt").read).toMatchObject({ text: "", warnings: [] });
  });

  it("returns nothing for a pipe that closes at once", async () => {
    const { child, read } = start("pipe", "extra");
    child.stdin?.end();
    expect(await read).toMatchObject({ text: "", warnings: [] });
  });

  it.each(["socket", "named pipe"])("does not wait for a silent %s when there is a prompt already", async (kind) => {
    const fifo = join(folder, "silent");
    if (kind === "named pipe") execFileSync("mkfifo", [fifo]);
    // Opened for writing too, so that it never ends.
    const { read } = start(kind === "socket" ? "pipe" : openSync(fifo, "r+"), "extra");
    const { text, warnings } = await read;
    expect(text).toBe("");
    expect(warnings).toEqual([expect.stringContaining("stdin is an open pipe without data; continuing without it.")]);
  });

  it("says that it is waiting for the prompt, and accepts a late one", async () => {
    const { child, read } = start("pipe", "prompt");
    await new Promise((done) => child.stderr?.once("data", done));
    child.stdin?.end("late");
    expect(await read).toMatchObject({
      text: "late",
      warnings: [expect.stringContaining("reading the prompt from stdin")],
    });
  });

  it("waits for the end of a pipe once data has arrived", async () => {
    const { child, read } = start("pipe", "extra");
    const writer = spawn("sh", ["-c", "printf begun; read more; printf ' and done'"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    writer.stdout.pipe(child.stdin as NodeJS.WritableStream);
    writer.stdout.once("data", () => writer.stdin.end("\n"));
    expect(await read).toMatchObject({ text: "begun and done", warnings: [] });
  });

  it("refuses input that is too long for a prompt", async () => {
    const { child, read } = start("pipe", "prompt");
    child.stdin?.on("error", () => undefined);
    child.stdin?.end("x".repeat(10 * 1024 * 1024 + 1));
    expect((await read).text).toBe(
      "refused: stdin is larger than 10 MB; save it as a file in the project and name the file.",
    );
  });
});
