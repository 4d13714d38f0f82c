import { isLong } from "../arguments/operands.ts";

/** Readings of git's arguments. All functions take the words after `git`. */

const optionsWithValue: ReadonlySet<string> = new Set(
  "-C -c --git-dir --work-tree --namespace --config-env --attr-source --super-prefix --exec-path".split(" "),
);

export function withoutGitOptions(words: readonly string[]): string[] {
  let start = 0;
  while (words[start]?.startsWith("-")) start += optionsWithValue.has(words[start] ?? "") ? 2 : 1;
  return words.slice(start);
}

/** Variables that pass settings to git outside of its words. */
export function hidesGitSettings(assignment: string): boolean {
  return (
    /^GIT_CONFIG_(?:COUNT|KEY_|VALUE_|PARAMETERS|GLOBAL|SYSTEM)/.test(assignment) &&
    !/=['"]?\/dev\/null['"]?$/.test(assignment)
  );
}

/** Settings passed as words: `name=value`. */
export function settingsOf(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    if (word === "-c" || word === "--config") return [words[index + 1] ?? ""];
    return /^-c./.test(word) || word.startsWith("--config=") ? [word.replace(/^(?:-c|--config=)/, "")] : [];
  });
}

/** Commands passed to git as settings (`-c core.pager=…`, an alias with `!`) or to be run by a subcommand. */
export function commandsForGit(words: readonly string[]): string[] {
  const commands = settingsOf(words)
    .filter((each) =>
      /(?:command|pager|editor|fsmonitor|askpass|external|textconv|helper|program|clean|smudge|process|driver|cmd|proxy|uploadpack|receivepack)=/i.test(
        each,
      ),
    )
    .map((each) => each.slice(each.indexOf("=") + 1))
    .map((value) => (value.startsWith("!") ? value.slice(1) : value));
  const [command, ...rest] = withoutGitOptions(words);
  return [...commands, ...startedBy(command ?? "", rest)].filter(Boolean);
}

function startedBy(command: string, rest: readonly string[]): string[] {
  const after = (option: RegExp) =>
    rest.flatMap((word, index) => {
      const match = option.exec(word);
      if (!match) return [];
      return [word.length > match[0].length ? word.slice(match[0].length).replace(/^=/, "") : (rest[index + 1] ?? "")];
    });
  switch (command) {
    case "submodule": {
      const start = rest.indexOf("foreach");
      return start < 0
        ? []
        : [
            rest
              .slice(start + 1)
              .filter((word, index) => index > 0 || word !== "--recursive")
              .join(" "),
          ];
    }
    case "rebase":
      return after(/^(?:-x|--exec)/);
    case "difftool":
    case "mergetool":
      return after(/^(?:-x|--extcmd)/);
    case "filter-branch":
      return after(/^--[a-z-]+-filter/);
    case "clone":
    case "fetch":
    case "pull":
    case "ls-remote":
    case "push":
      return [
        ...after(/^--(?:upload-pack|receive-pack|exec)/),
        ...rest.flatMap((word) => /^ext::(.*)$/s.exec(word)?.[1] ?? []),
      ];
    default:
      return [];
  }
}

const readsConfig = /^(?:--get.*|--list|-l)$/;
const writesConfig = /^(?:--add|--unset.*|--replace-all|--(?:rename|remove)-section|--edit|-e)$/;

/** One key alone is read; a key and a value are written. */
export function isGitConfigWrite(words: readonly string[]): boolean {
  const [command, ...rest] = withoutGitOptions(words);
  if (command !== "config") return false;
  if (rest.some((word) => writesConfig.test(word))) return true;
  if (rest.some((word) => readsConfig.test(word))) return false;
  const [first = "", ...others] = rest.filter((word) => !word.startsWith("-"));
  if (first === "get" || first === "list") return false;
  return others.length > 0 || !first.includes(".");
}

/** A push that overwrites or deletes others' work: by force, of an empty name, or by deleting what is missing here. */
export function isForcedPush(words: readonly string[]): boolean {
  const [command = "", ...rest] = withoutGitOptions(words);
  if (!/^(?:push|send-pack|http-push)$/.test(command)) return false;
  return rest.some(
    (word) =>
      /^(?:-[a-zA-Z]*[fdD][a-zA-Z]*|--force.*|\+.+|:.*)$/.test(word) ||
      ["--mirror", "--delete", "--prune", "--force"].some((name) => isLong(word, name) && word.length > 3),
  );
}

/** Uncommitted work, or commits that nothing else refers to, may be lost. */
export function discardsWork(words: readonly string[]): boolean {
  const [command = "", ...rest] = withoutGitOptions(words);
  const has = (pattern: RegExp) => rest.some((word) => pattern.test(word));
  const hasLong = (...names: string[]) => rest.some((word) => names.some((name) => isLong(word, name)));
  switch (command) {
    case "reset":
      return hasLong("--hard", "--merge", "--keep");
    case "clean":
      return has(/^-[a-zA-Z]*f/) || hasLong("--force");
    case "branch":
      return has(/^-[a-zA-Z]*[DMf]/) || hasLong("--force");
    case "checkout":
      return has(/^(?:--|\.|-[a-zA-Z]*[fB])$/) || hasLong("--force", "--ours", "--theirs") || checksOutFiles(rest);
    case "switch":
      return has(/^-[a-zA-Z]*[fC]/) || hasLong("--force", "--discard-changes");
    case "restore":
      return !has(/^(?:--staged|-S)$/) || has(/^(?:--worktree|-W)$/);
    case "stash":
      return has(/^(?:drop|clear)$/);
    case "worktree":
      return has(/^remove$/) && (has(/^-[a-zA-Z]*f/) || hasLong("--force"));
    case "filter-branch":
    case "filter-repo":
      return true;
    case "reflog":
      return has(/^(?:expire|delete)$/);
    default:
      return false;
  }
}

/** `git checkout HEAD src`, `git checkout a.ts`: files, not a branch. */
function checksOutFiles(words: readonly string[]): boolean {
  if (words.some((word) => /^-[a-zA-Z]*[btd]|^--(?:orphan|track|detach)/.test(word))) return false;
  const [first = "", ...more] = words.filter((word) => !word.startsWith("-"));
  return (
    more.length > 0 || /\.[a-z]{1,5}$|\/$/i.test(first) || words.some((word) => isLong(word, "--pathspec-from-file"))
  );
}

/** True if files of the work tree may change or disappear, so that a checkpoint is wanted first. */
export function changesWorkTree(words: readonly string[]): boolean {
  const [command = "", ...rest] = withoutGitOptions(words);
  if (command === "stash")
    return !/^(?:list|show|create|store)$/.test(rest.find((word) => !word.startsWith("-")) ?? "");
  if (command === "reset") return discardsWork(words);
  if (command === "checkout") return !rest.includes("-b") || discardsWork(words);
  if (command === "switch") return discardsWork(words);
  if (/^(?:merge|cherry-pick|revert|am)$/.test(command)) return rest.some((word) => /^--(?:abort|skip)$/.test(word));
  if (command === "worktree") return rest.includes("remove");
  if (command === "submodule") return rest.includes("deinit") || rest.some((word) => /^(?:-f|--force)$/.test(word));
  if (command === "mv") return rest.some((word) => /^(?:-[a-z]*f[a-z]*|--force)$/.test(word));
  return /^(?:clean|restore|rm|rebase|read-tree|checkout-index|filter-branch|filter-repo)$/.test(command);
}
