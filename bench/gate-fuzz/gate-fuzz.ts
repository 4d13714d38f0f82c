import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { cleanEnv } from "../headless.ts";
import type { FuzzResult } from "./worker.ts";

const repository = join(import.meta.dirname, "../..");
const MAX_SHOWN = 40;

/**
 * Passes random lines of the programs that may run unasked to the gate, runs what it allows in a container without a
 * network, and looks for changed files, started programs and printed secrets. Returns true if nothing was found.
 */
export async function fuzzGate(lines: number, seed: number): Promise<boolean> {
  // Its path contains no blank: the traps are words of commands.
  const place = mkdtempSync(join(tmpdir(), "gate-fuzz-"));
  // Two processes, for two cores; each has its own place and its own lines.
  const parts = [0, 1].map((part) =>
    runPart(join(place, `part-${part}`), Math.ceil(lines / 2), seed + part * 1_000_003),
  );
  const results = await Promise.all(parts).finally(() => rmSync(place, { recursive: true, force: true }));
  const findings = results.flatMap((each) => each.findings);
  const sum = (of: (result: FuzzResult) => number) => results.reduce((total, each) => total + of(each), 0);
  const counts = `${sum((each) => each.lines)} lines from seed ${seed}, ${sum((each) => each.allowed)} allowed and run`;
  process.stdout.write(`gate-fuzz: ${counts}, ${findings.length} findings\n`);
  for (const { line, what } of findings.slice(0, MAX_SHOWN)) process.stdout.write(`  ${what}\n    ${line}\n`);
  return findings.length === 0;
}

async function runPart(root: string, lines: number, seed: number): Promise<FuzzResult> {
  const worker = join(import.meta.dirname, "worker.ts");
  const readable = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"];
  const own = ["--bind", root, root, "--ro-bind", repository, repository, "--chdir", root];
  const alone = ["--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent", "--new-session"];
  const command = [process.execPath, worker, root, String(lines), String(seed)];
  mkdirSync(root, { recursive: true });
  try {
    const env = cleanEnv(root);
    const args = [...readable, ...own, ...alone, "--", ...command];
    const { stdout } = await promisify(execFile)("bwrap", args, { env, maxBuffer: 2 ** 26 });
    return JSON.parse(stdout) as FuzzResult;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      throw new Error("gate-fuzz runs what it tries in bubblewrap, which is not installed (apt install bubblewrap).");
    }
    throw error;
  }
}
