import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { SessionOptions, SessionValues, Tool } from "@harness/core";
import { FileStamps } from "@harness/host";
import { MemoryLog, MemorySession, type Script, type ScriptedEvent } from "@harness/testkit";
import { readHookConf } from "../src/hooks/runs/hook-conf.ts";
import { HookLog } from "../src/hooks/runs/hook-log.ts";
import { HookRunner } from "../src/hooks/runs/hook-runner.ts";
import { HookRuns } from "../src/hooks/runs/hook-runs.ts";
import { HookWork } from "../src/hooks/steps/hook-work.ts";
import { SessionHooks } from "../src/hooks/steps/session-hooks.ts";
import { ReadEntries } from "../src/sources/read-entries.ts";
import { SourceInventory } from "../src/sources/source-inventory.ts";

type Setup = {
  script: Script | ScriptedEvent[][];
  tools?: readonly Tool[];
  options?: Partial<SessionOptions & SessionValues>;
};

/** A home with hooks, and sessions whose turns run them. */
export class HookHome {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "harness hooks ")));
  readonly cwd = join(this.root, "project");
  readonly config = join(this.root, "config");
  readonly logPath = join(this.root, "hooks.log");
  readonly env: Record<string, string | undefined> = { PATH: process.env.PATH };
  readonly runs = new HookRuns(join(this.root, "runs.jsonl"), () => undefined);
  readonly inventory: SourceInventory;

  constructor() {
    mkdirSync(this.cwd);
    this.inventory = new SourceInventory({
      chosenProvider: undefined,
      places: { configFolder: this.config, home: this.root },
      stamps: new FileStamps(),
      trust: { standing: () => "", isTrusted: () => true, leadsOut: () => false, hasLapsed: () => false },
    });
  }

  /** `where`: `stage/NN-name`. */
  hook(where: string, text: string, { mode = 0o755, conf }: { mode?: number; conf?: string } = {}): string {
    const path = join(this.config, "hooks.d", where);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text.startsWith("#!") ? text : `#!/bin/sh\n${text}\n`);
    chmodSync(path, mode);
    if (conf !== undefined) writeFileSync(`${path}.conf`, conf);
    return path;
  }

  session({ script, tools, options = {} }: Setup): MemorySession {
    const runner = new HookRunner(new ReadEntries(({ sidecar }) => readHookConf(sidecar)), this.runs, () => 0);
    const work = new HookWork(
      runner,
      {
        environment: () => this.env,
        facts: () => ({
          version: "1",
          root: "/harness",
          home: this.config,
          config: "/config",
          sessions: "/s",
          session: "/s/1",
          log: this.logPath,
          maxTurns: 7,
        }),
        log: new HookLog(this.logPath, (text) => text),
        sessionId: "s1",
        isPrivate: false,
        isCurrent: () => true,
      },
      () => this.inventory.at(this.cwd),
    );
    const hooks = new SessionHooks(work);
    return new MemorySession({
      script,
      ...(tools && { tools }),
      options,
      log: new MemoryLog("s1", this.cwd),
      extensions: { steps: () => hooks.steps(), callSteps: () => hooks.callSteps(), gateHooks: () => [] },
    });
  }

  /** A file that a hook has written beside the project; its working folder is the session's, which does not exist. */
  read(name: string): string {
    return readFileSync(join(this.root, name), "utf8");
  }

  json(name: string): unknown {
    return JSON.parse(this.read(name));
  }

  get log(): string {
    return readFileSync(this.logPath, "utf8");
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }
}
