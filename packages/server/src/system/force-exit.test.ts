import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "exit "));
  execFileSync("mkfifo", [join(folder, "pipe")]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** How a process ends that does this and then exits with 7. */
async function end(work: string): Promise<{ code: number | null; signal: string | null; output: string }> {
  const module = new URL("force-exit.ts", import.meta.url).href;
  const script = `
    import { open, readFile } from "node:fs";
    import { forceExit } from ${JSON.stringify(module)};
    ${work};
    process.stdout.write("said");
    await forceExit(7);
    process.stdout.write("not said");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const [code, signal] = await once(child, "close");
  return { code, signal, output };
}

/** Node 24 keeps the code; earlier versions can only kill the process. */
const left = "execve" in process ? { code: 7, signal: null } : { code: null, signal: "SIGKILL" };

describe("forceExit", () => {
  it.each([
    ["nothing is open", ""],
    ["a timer runs", "setInterval(() => undefined, 1000)"],
    ["a file is being read", 'readFile("/etc/hostname", () => undefined)'],
  ])("ends the process with its code while %s", async (_name, work) => {
    expect(await end(work)).toEqual({ code: 7, signal: null, output: "said" });
  });

  it("ends the process while a thread waits for a pipe", async () => {
    expect(await end('open("pipe", "r", () => undefined)')).toEqual({ ...left, output: "said" });
  });
});
