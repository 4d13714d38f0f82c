import { existsSync, realpathSync, renameSync } from "node:fs";
import type { PolicyRule } from "@harness/gate";
import { keepCopy, type PrivateFile, removeIfThere } from "@harness/host";
import type { PolicyDocument } from "./policy-file.ts";

const BACKUPS = 5;

/**
 * Changes one of the user's policy files and keeps the last five versions next to it. An unusable file stays as it is.
 * The new content is on disk on return; never throws.
 */
export function changePolicies(
  file: PrivateFile<PolicyDocument>,
  change: (rules: readonly PolicyRule[]) => readonly PolicyRule[] | { problem: string },
): { rules: readonly PolicyRule[] } | { problem: string } {
  let outcome: { rules: readonly PolicyRule[] } | { problem: string } = { rules: [] };
  const saved = file.change((document) => {
    const changed = change(document.rules);
    outcome = "problem" in changed ? changed : { rules: changed };
    if ("problem" in changed || JSON.stringify(changed) === JSON.stringify(document.rules)) return undefined;
    if (existsSync(file.path)) backUp(realpathSync(file.path));
    return { rules: changed };
  });
  return "problem" in saved ? { problem: saved.problem } : outcome;
}

/** `.backup-1` is the newest. */
function backUp(path: string): void {
  const backup = (number: number) => `${path}.backup-${number}`;
  for (let number = BACKUPS - 1; number >= 1; number -= 1) {
    if (existsSync(backup(number))) renameSync(backup(number), backup(number + 1));
  }
  removeIfThere(backup(1));
  keepCopy(path, backup(1));
}
