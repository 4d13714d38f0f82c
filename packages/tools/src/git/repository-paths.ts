import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { isSecret, isWithin } from "@harness/gate";
import { type GitSetting, gitOutput } from "@harness/host";
import { realPathNow } from "../files/judged-path.ts";

/** Settings that name a file, with the values that disable them. git prints parts of files that it cannot parse. */
const none: Readonly<Record<string, GitSetting | undefined>> = {
  "core.attributesfile": ["core.attributesFile", "/dev/null"],
  "core.excludesfile": ["core.excludesFile", "/dev/null"],
  "mailmap.file": ["mailmap.file", "/dev/null"],
};
/** Settings that no other setting can disable. */
const lasting = ["core.worktree", "blame.ignorerevsfile"];
const NAMES = `^(${[...lasting, ...Object.keys(none)].join("|").replaceAll(".", "\\.")})$`;

type GitQueryOptions = { cwd: string; env: Readonly<Record<string, string>>; timeoutMs: number };

/**
 * The settings that keep git from reading files that the repository's settings name outside the roots, or that may hold
 * secrets; the user's own configuration stays in force. `problem`: git cannot be kept from it.
 */
export async function settingsElsewhere(
  git: string,
  asking: GitQueryOptions,
  roots: readonly string[],
): Promise<{ settings: GitSetting[] } | { problem: string }> {
  const named = await ask(git, ["config", "--show-scope", "-z", "--get-regexp", NAMES], asking);
  const words = named?.split("\0") ?? [];
  const settings: GitSetting[] = [];
  // Scopes and settings alternate.
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [scope = "", setting = ""] = words.slice(at, at + 2);
    if (/^(?:command|global|system)$/.test(scope)) continue;
    const [, name = "", value = ""] = /^([^\n]*)\n?(.*)$/s.exec(setting) ?? [];
    const isWithin =
      name === "core.worktree" ? await isWorkTreeInside(git, asking, roots) : isInside(value, asking.cwd, roots);
    if (isWithin) continue;
    const off = none[name];
    if (!off)
      return { problem: `The repository's setting ${name} leads elsewhere, so git was not run without asking.` };
    settings.push(off);
  }
  return { settings };
}

/** Relative names are relative to the top of the repository. */
function isInside(value: string, cwd: string, roots: readonly string[]): boolean {
  if (/^[~%]|(?:^|\/)\.\.(?:\/|$)/.test(value)) return false;
  if (!value.startsWith("/") && !existsSync(join(cwd, ".git"))) return false;
  const path = realPathNow(resolve(cwd, value));
  return roots.some((root) => isWithin(path, root)) && !isSecret(path);
}

async function isWorkTreeInside(git: string, asking: GitQueryOptions, roots: readonly string[]): Promise<boolean> {
  const top = (await ask(git, ["rev-parse", "--show-toplevel"], asking))?.replace(/\n$/, "");
  return top !== undefined && roots.some((root) => isWithin(realPathNow(top), root));
}

/** The output of git; undefined if it fails or finds nothing. */
function ask(command: string, args: readonly string[], asking: GitQueryOptions): Promise<string | undefined> {
  return gitOutput({ command, args, ...asking, maxOutputBytes: 1 << 20 });
}
