import { copyFileSync, existsSync, linkSync, realpathSync, renameSync } from "node:fs";
import { PolicyFile, type PolicyRule } from "@harness/gate";
import { blockForLock, describeOwner, diskProblem, type Lock, removeIfThere, replaceFile } from "@harness/host";
import { readJson } from "../settings/json-text.ts";
import { readPolicySource } from "./policy-source.ts";

const LOCK_WAIT_MS = 2_000;
const BACKUPS = 5;

/**
 * Changes a policy file of the person: read again under a lock, so that rules of another harness survive, and written
 * whole or not at all; the last five are kept beside it. A file that cannot be used is left as it is. On disk when it
 * returns; never throws.
 */
export function changePolicies(
  path: string,
  change: (rules: PolicyRule[]) => PolicyRule[] | { problem: string },
): { rules: PolicyRule[] } | { problem: string } {
  let lock: Lock | undefined;
  try {
    const taken = blockForLock(`${path}.lock`, LOCK_WAIT_MS);
    if (!("release" in taken)) {
      const who = describeOwner(taken.owner);
      return { problem: `${path} is being changed by another harness (${who}). Nothing was saved. Try again.` };
    }
    lock = taken;
    const found = rulesIn(path);
    if ("problem" in found) return found;
    const rules = change(found.rules);
    if ("problem" in rules) return rules;
    if (JSON.stringify(rules) !== JSON.stringify(found.rules)) write(path, rules);
    return { rules };
  } catch (error) {
    return { problem: diskProblem(error, "save the policies", path) };
  } finally {
    lock?.release();
  }
}

/** As they stand there, with those that are not in force. */
function rulesIn(path: string): { rules: PolicyRule[] } | { problem: string } {
  const { text, problem } = readPolicySource(path, { own: true });
  if (problem !== undefined) return { problem: `${problem} Nothing was saved.` };
  if (text === undefined) return { rules: [] };
  const json = readJson(text);
  const read = "value" in json ? PolicyFile.safeParse(json.value) : undefined;
  if (read?.success) return { rules: read.data.rules };
  return { problem: `${path} holds no policies that can be read. Nothing was saved: correct it, or move it away.` };
}

function write(path: string, rules: PolicyRule[]): void {
  const content = `${JSON.stringify({ version: 1, rules } satisfies PolicyFile, undefined, 2)}\n`;
  if (existsSync(path)) keepOld(realpathSync(path));
  replaceFile(path, content, { broken: false });
}

/** `.backup-1` is the newest. */
function keepOld(path: string): void {
  const backup = (number: number) => `${path}.backup-${number}`;
  for (let number = BACKUPS - 1; number >= 1; number -= 1) {
    if (existsSync(backup(number))) renameSync(backup(number), backup(number + 1));
  }
  removeIfThere(backup(1));
  try {
    linkSync(path, backup(1));
  } catch {
    // Some file systems have no second names.
    copyFileSync(path, backup(1));
  }
}
