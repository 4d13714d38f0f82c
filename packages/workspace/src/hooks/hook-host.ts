import { dirname, join } from "node:path";
import {
  HookLog,
  HookRunner,
  HookRuns,
  ReadEntries,
  readHookConf,
  type SourceEntry,
  type SourceInventory,
} from "@harness/extensions";
import type { ConfigPaths } from "@harness/storage";
import { ClaudeHookHost } from "./claude-hook-host.ts";

type HookHostOptions = {
  version: string;
  configPaths: ConfigPaths;
  sources: SourceInventory;
  now(): number;
  /** Removes the known secrets of the server's own folder. */
  hide(text: string): string;
  report(error: unknown, where: string): void;
};

/** Shared by the hooks of all folders: their runner, and the record of their runs with its file. */
export class HookHost {
  readonly runs: HookRuns;
  readonly runner: HookRunner;
  readonly confs: ReadEntries<ReturnType<typeof readHookConf>> = new ReadEntries(({ sidecar }: SourceEntry) =>
    readHookConf(sidecar),
  );
  /** Claude-style hooks. */
  readonly claude: ClaudeHookHost;
  /** For hooks that run outside sessions. */
  readonly log: HookLog;
  /** Facts about harness for every hook. */
  readonly facts: { version: string; root: string | undefined; home: string; config: string; sessions: string };

  constructor({ version, configPaths, sources, now, hide, report }: HookHostOptions) {
    const { conversations, logs, root, programHome } = configPaths;
    this.runs = new HookRuns(join(logs, "hooks.jsonl"), report);
    this.runner = new HookRunner(this.confs, this.runs, now);
    this.claude = new ClaudeHookHost({ sources, runs: this.runs, now });
    this.log = new HookLog(join(logs, "hooks.log"), hide);
    this.facts = { version, root: installFolder(), home: programHome, config: root, sessions: conversations };
  }
}

/** Undefined if harness does not run from its bundle. */
function installFolder(): string | undefined {
  const [, entry = ""] = process.argv;
  return /[/\\]dist[/\\]harness\.mjs$/.test(entry) ? dirname(dirname(entry)) : undefined;
}
