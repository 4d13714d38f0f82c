import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CALL_ID, hasEnded, newCallId, readStat } from "@harness/host";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ProcessTransport } from "./process-transport.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "harness transport "));
});
afterEach(() => rmSync(folder, { recursive: true }));

it.runIf(process.platform === "linux").each([
  ["is closed", "cat"],
  ["has ended by itself", "exit 0"],
])("a server takes with it what it started in a session of its own, when it %s", async (_what, then) => {
  const script = `setsid sh -c 'echo $$ > escaped; trap "" TERM; sleep 300' & until [ -s escaped ]; do sleep 0.01; done; ${then}`;
  const env = { PATH: process.env.PATH ?? "", [CALL_ID]: newCallId() };
  const transport = new ProcessTransport(
    { command: "sh", args: ["-c", script], cwd: folder, env },
    { onText: () => undefined },
  );
  const over = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  await transport.start();
  await expect.poll(() => pidIn("escaped"), { interval: 5, timeout: 60_000 }).not.toBe(0);
  const pid = pidIn("escaped");
  if (then === "cat") await transport.close();
  await over;
  await expect.poll(() => isAlive(pid), { interval: 5, timeout: 60_000 }).toBe(false);
});

function isAlive(pid: number): boolean {
  const stat = readStat(pid);
  return stat !== undefined && !hasEnded(stat);
}

function pidIn(name: string): number {
  try {
    return Number(readFileSync(join(folder, name), "utf8"));
  } catch {
    return 0;
  }
}
