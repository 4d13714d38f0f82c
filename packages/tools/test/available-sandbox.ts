import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Sandbox, SandboxOptions } from "../src/sandbox/sandbox.ts";
import { Sandboxes } from "../src/sandbox/sandboxes.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";

/** A sandbox as in a session, with a test's overrides. */
export function sandboxWith(over: Partial<SandboxOptions> = {}): Sandbox {
  const home = homedir();
  const usual = {
    wanted: "auto" as const,
    allowedDomains: [],
    configFolder: join(home, ".config/harness"),
    home,
    env: {},
  };
  return new Sandboxes().create({ ...usual, path: PATH, ...over });
}

/**
 * The sandbox of this machine, or why there is none: tests that need one are skipped, with the reason in their names.
 */
export async function realSandbox(over: Partial<SandboxOptions> = {}): Promise<{ sandbox: Sandbox; missing: string }> {
  const sandbox = sandboxWith(over);
  await sandbox.ready();
  const missing = sandbox.active
    ? ""
    : ` - skipped: no sandbox here, ${sandbox.why}; needs apt install bubblewrap socat`;
  return { sandbox, missing };
}

/** A folder for PATH with a `bwrap` (and a `socat`) that does what the script says. */
export function stubPrograms(folder: string, script: string): string {
  mkdirSync(folder, { recursive: true });
  for (const name of ["bwrap", "socat"]) {
    const file = join(folder, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }
  return folder;
}
