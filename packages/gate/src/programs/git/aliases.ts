import type { GitAliases } from "../../ports/repositories.ts";
import type { ShellWord } from "../../ports/shell-grammar.ts";
import { addText, type StartedCommands } from "../starts/started-commands.ts";
import { settingsOf, withoutGitOptions } from "./words.ts";

/** Git's built-in commands, which aliases cannot replace. Names missing here are looked up. */
const own: ReadonlySet<string> = new Set(
  (
    "add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore check-mailmap check-ref-format " +
    "checkout checkout-index cherry cherry-pick clean clone column commit commit-graph commit-tree config count-objects " +
    "credential describe diff diff-files diff-index diff-tree difftool fast-export fast-import fetch fetch-pack filter-branch " +
    "fmt-merge-msg for-each-ref for-each-repo format-patch fsck gc get-tar-commit-id grep hash-object help index-pack init " +
    "init-db interpret-trailers log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file " +
    "merge-index merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes pack-objects pack-redundant pack-refs " +
    "patch-id prune prune-packed pull push range-diff read-tree rebase receive-pack reflog remote repack replace rerere reset " +
    "restore rev-list rev-parse revert rm send-pack shortlog show show-branch show-index show-ref sparse-checkout stash status " +
    "stripspace submodule switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info " +
    "upload-archive upload-pack var verify-commit verify-pack verify-tag version worktree write-tree"
  ).split(" "),
);

const mayBeOther = "gives git a word that may be an alias";
const mayBeCorrected = "gives git a word that it may take for another command";

/** The word after `git` if only git's settings or other programs give it a meaning. */
export function wordOfSettings(words: readonly string[]): string | undefined {
  const [subcommand] = withoutGitOptions(words);
  return subcommand === undefined || own.has(subcommand) ? undefined : subcommand;
}

/**
 * Adds the commands that an alias after `git` stands for. `aliasesFrom`: the aliases that git finds from a folder,
 * given as for `-C`; absent: only aliases defined by the words themselves are known.
 */
export function startAliases(
  started: StartedCommands,
  { git, words }: { git: ShellWord; words: readonly ShellWord[] },
  aliasesFrom: ((folder: string) => GitAliases | undefined) | undefined,
): void {
  const texts = words.map(({ text }) => text);
  const name = wordOfSettings(texts);
  if (name === undefined) return;
  const start = words.length - withoutGitOptions(texts).length;
  const [options, behind] = [words.slice(0, start), words.slice(start + 1)];
  const setting = valueGiven(texts.slice(0, start), name);
  const found = setting === undefined ? aliasesFrom?.(folderOf(texts.slice(0, start))) : undefined;
  if (setting === undefined && aliasesFrom) {
    if (found === undefined) started.problem ??= mayBeOther;
    else if (found.corrects) started.problem ??= mayBeCorrected;
  }
  const value = setting ?? found?.byName[name.toLowerCase()];
  if (value === undefined) return;
  if (value.startsWith("!")) {
    addText(started, textOf([{ text: value.slice(1), literal: true }, ...behind.map(quoted)]));
    return;
  }
  const spoken = value
    .replace(/["'\\]/g, "")
    .split(/\s+/)
    .filter(Boolean);
  started.commands.push([git, ...options, ...spoken.map((text) => ({ text, literal: true })), ...behind]);
}

/** From `-c alias.name=value`. */
function valueGiven(options: readonly string[], name: string): string | undefined {
  const start = `alias.${name}=`.toLowerCase();
  return settingsOf(options)
    .findLast((each) => each.toLowerCase().startsWith(start))
    ?.slice(start.length);
}

/** The folder that all `-C` options together lead to. */
function folderOf(options: readonly string[]): string {
  let folder = ".";
  options.forEach((word, at) => {
    const next = options[at + 1] ?? "";
    if (word === "-C" && next !== "") folder = /^[/~]/.test(next) ? next : `${folder}/${next}`;
  });
  return folder;
}

function quoted({ text, literal }: ShellWord): ShellWord {
  return { text: literal ? `'${text.replaceAll("'", `'\\''`)}'` : text, literal };
}

function textOf(words: readonly ShellWord[]): ShellWord {
  return { text: words.map(({ text }) => text).join(" "), literal: words.every(({ literal }) => literal) };
}
