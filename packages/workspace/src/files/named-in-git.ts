import { type GitAliases, type ObjectKind, pathOutside, type Repositories } from "@harness/gate";
import { DEFAULT_PATH, gitOutput, realPathOrSame } from "@harness/host";
import { gitEnv } from "./git-env.ts";

const TIMEOUT_MS = 5_000;
const MAX_OUTPUT_BYTES = 1 << 20;

/** A setting of ours that shows if git reads settings from the environment, and gives it something to list. */
const HEARD = "harness.heard";
const NAMES = `^(alias\\.|help\\.autocorrect$|${HEARD}$)`;

/**
 * Asks git what words in commands mean to it. `roots`: the workspace, whose own programs are not the user's git.
 * Neither question runs anything that a repository names.
 */
export function namedInGit(roots: () => readonly string[]): Repositories {
  const ask = async (cwd: string, args: readonly string[], env: Readonly<Record<string, string>>, input?: string) => {
    const PATH = pathOutside(env.PATH ?? "", [cwd, ...roots()], realPathOrSame) || DEFAULT_PATH;
    const limits = { timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES };
    return await gitOutput({ command: "git", args, cwd, env: { ...env, PATH }, input, ...limits });
  };
  return {
    async kindOf(folder, name) {
      if (name.includes("\n")) return undefined;
      return kindIn(await ask(folder, ["cat-file", "--batch-check=%(objecttype)"], gitEnv(folder), `${name}^{}\n`));
    },
    async aliases(folder) {
      // Every repository counts, as it does for the command.
      return aliasesIn(await ask(folder, ["config", "-z", "--get-regexp", NAMES], gitEnv(folder, [[HEARD, "true"]])));
    },
  };
}

function kindIn(output: string | undefined): ObjectKind | undefined {
  const kind = output?.trim();
  return kind === "commit" || kind === "tree" || kind === "blob" ? kind : undefined;
}

function aliasesIn(output: string | undefined): GitAliases | undefined {
  const settings = (output ?? "").split("\0").map((each) => /^([^\n]*)\n?(.*)$/s.exec(each)?.slice(1) ?? []);
  if (!settings.some(([name]) => name === HEARD)) return undefined;
  const byName: Record<string, string> = {};
  let corrects = false;
  for (const [name = "", value = ""] of settings) {
    if (name === "help.autocorrect") corrects = !/^(?:0|never|prompt|show|false|no|off)$/i.test(value);
    // Newer versions also accept [alias "name"] command = …
    const alias = /^alias\.(.+?)(?:\.command)?$/s.exec(name)?.[1];
    if (alias !== undefined) byName[alias.toLowerCase()] = value;
  }
  return { byName, corrects };
}
