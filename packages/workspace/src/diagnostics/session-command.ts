import type { CommandPort } from "@harness/lsp";
import { type CheckRunSettings, runCheck, type Sandbox } from "@harness/tools";
import type { FolderSettings } from "../settings/folder-settings.ts";
import { type DiskChanges, stateText } from "./disk-changes.ts";

/** A session's part of the checks of its folder. */
export type CheckedSession = {
  readonly sandbox: Sandbox;
  /** Folders that commands may change in a sandbox. */
  roots(): readonly string[];
  readonly commands: CheckRunSettings;
};

type CommandFolder = {
  readonly settings: Pick<FolderSettings, "values">;
  readonly changes: DiskChanges;
  /** Whether code of the folder may run outside a sandbox. */
  isTrusted(): boolean;
};

const MAX_RUN_MS = 600_000;

/** The setting `check_command` as the command of a session. */
export function sessionCommand(
  { sandbox, roots, commands }: CheckedSession,
  { settings, changes, isTrusted }: CommandFolder,
): CommandPort {
  return {
    get line() {
      return settings.values.check_command.trim();
    },
    get waitMs() {
      return settings.values.check_command_wait_ms;
    },
    run(cwd, signal) {
      const { line } = this;
      const place = { line, cwd, roots: roots(), sandbox, mayRunOutside: isTrusted(), maxMs: MAX_RUN_MS, signal };
      return runCheck(place, commands);
    },
    async state(cwd) {
      const now = await changes.now(cwd);
      return now && stateText(now);
    },
  };
}
