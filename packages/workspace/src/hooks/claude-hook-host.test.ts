import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NO_CALL_STEPS } from "@harness/core";
import { HookLog, HookRuns, SourceInventory } from "@harness/extensions";
import { FileStamps } from "@harness/host";
import { emptySession } from "@harness/protocol";
import { updateViewContract } from "@harness/testkit";
import { afterAll, beforeAll, describe } from "vitest";
import { ClaudeHookHost } from "./claude-hook-host.ts";

let cwd: string;
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "hooked-")));
  mkdirSync(join(cwd, ".harness"));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** A session with a hook for one event; `begun` counts its runs, which stay without a process. */
function hooked() {
  let begun = 0;
  const trust = { standing: () => "", isTrusted: () => true, leadsOut: () => false, hasLapsed: () => false };
  const places = { configFolder: join(cwd, "config"), home: join(cwd, "home") };
  const sources = new SourceInventory({ places, stamps: new FileStamps(), trust, chosenProvider: undefined });
  const runs = new HookRuns(join(cwd, "runs.jsonl"), () => undefined);
  const host = new ClaudeHookHost({ sources, runs, now: () => 0 });
  const header = { version: 1, sessionId: "s1", cwd, createdAt: "2026-11-21T14:00:00.000Z" };
  const options = {
    environment: () => ({}),
    folderVariables() {
      begun += 1;
      return new Promise<never>(() => undefined);
    },
    facts: () => ({ version: "1", root: undefined, home: cwd, config: cwd, sessions: cwd }),
    log: new HookLog(undefined, (text) => text),
    sessionId: "s1",
    isPrivate: true,
    isCurrent: () => true,
  };
  host.extensions({ header, location: undefined }, options, NOTHING);
  const session = {
    sessionId: "s1",
    state: emptySession("s1"),
    permissionMode: "default",
    mode: "agent",
    warn: () => undefined,
  } as const;
  host.onOpened({ session, isResumed: false });
  return { view: host, kept: () => begun };
}

const NOTHING: Parameters<ClaudeHookHost["extensions"]>[2] = {
  steps: () => [],
  callSteps: () => NO_CALL_STEPS,
  gateHooks: () => [],
};

describe.each(["SessionStart", "Notification"])("the hooks %s", (event) => {
  beforeAll(() => {
    const groups = [{ hooks: [{ type: "command", command: "true" }] }];
    writeFileSync(join(cwd, ".harness", "hooks.json"), JSON.stringify({ [event]: groups }));
  });
  updateViewContract({ name: `runs of hooks for ${event}`, open: hooked });
});
