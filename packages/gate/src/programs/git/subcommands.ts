import type { GivenArguments } from "../arguments/argument-reading.ts";
import type { ArgumentRow } from "../arguments/argument-row.ts";
import { showsContents } from "./contents.ts";

const diffFlags =
  "-puszRabwWc -B[=word] -M[=word] -C[=word] -U=number -S=word -G=word --patch --no-patch --unified=number --raw --patch-with-stat --patch-with-raw --minimal --patience --histogram --diff-algorithm=word --stat[=word] --numstat --shortstat --dirstat[=word] --summary --compact-summary --name-only --name-status --color[=word] --no-color --color-moved[=word] --word-diff[=word] --word-diff-regex=word --color-words[=word] --no-renames --rename-empty --check --full-index --binary --abbrev[=number] --find-renames[=word] --find-copies[=word] --find-copies-harder --diff-filter=word --pickaxe-all --pickaxe-regex --relative[=word] --no-relative --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --inter-hunk-context=number --function-context --exit-code --quiet --src-prefix=word --dst-prefix=word --no-prefix --indent-heuristic --no-ext-diff --no-textconv";

const revisionFlags =
  "-n=number -# --max-count=number --skip=number --since=word --after=word --until=word --before=word --author=word --committer=word --grep=word -iEFP --regexp-ignore-case --extended-regexp --fixed-strings --perl-regexp --invert-grep --all-match --merges --no-merges --min-parents=number --max-parents=number --first-parent --all --branches[=word] --tags[=word] --remotes[=word] --glob=word --exclude=word --not --reverse --topo-order --date-order --author-date-order --left-right --left-only --right-only --cherry-pick --cherry-mark --cherry --boundary --simplify-by-decoration --full-history --ancestry-path --dense --sparse --no-walk[=word] --format=word --pretty[=word] --abbrev-commit --no-abbrev-commit --oneline --graph --decorate[=word] --no-decorate --date=word --parents --children";

const logFlags = `${revisionFlags} ${diffFlags} -mg --follow -L=word --cc --source --show-pulls --walk-reflogs --no-notes --use-mailmap --no-mailmap --log-size --relative-date --cherry --no-show-signature --full-diff --encoding=word`;

/** Flags for listing branches and tags. */
const listFlags =
  "-i --list --sort=word --format=word --color[=word] --no-color --column[=word] --no-column --ignore-case --contains=word? --no-contains=word? --merged=word? --no-merged=word? --points-at=word";

const badPlaceholder = /%[-+ ]?G|signature/;
/** Prints the raw content of an object, even of a file. */
const rawPlaceholder = /%\(\*?raw/;

/** Signatures are checked by a program that the repository names. */
function checkFormat({ flags }: GivenArguments): string | undefined {
  const values = flags.map(({ value = "" }) => value);
  if (values.some((value) => rawPlaceholder.test(value))) return "the format shows what objects hold";
  return values.some((value) => badPlaceholder.test(value)) ? "the format has signatures checked" : undefined;
}

const findsRenames = /^(?:-[MC]|--find-(?:renames|copies|copies-harder))$/;

/** They stand for references, and any reference may point to a file. */
const manyObjects = /^--(?:all|tags|remotes|glob)$/;

/** Files that may have had other names in the past cannot be excluded by name. */
function checkHistory(name: string): (args: GivenArguments) => string | undefined {
  return (args) => {
    const flags = args.flags.map((flag) => flag.name);
    if (name === "show" && flags.some((flag) => manyObjects.test(flag))) return "it shows whatever a tag stands for";
    if (!showsContents(name, flags)) return checkFormat(args);
    const follows =
      flags.includes("--follow") || (flags.includes("-L") && flags.some((flag) => findsRenames.test(flag)));
    if (follows) return "it follows a file to other names, which may be those of secrets";
    return flags.includes("--full-diff") ? "it shows every file of a commit" : checkFormat(args);
  };
}

const log: ArgumentRow = { flags: logFlags, operands: "path" };
const names = { operands: "word" } as const;

/** Operands filter the list only with `--list`; otherwise they are created. */
function checkList(args: GivenArguments): string | undefined {
  return args.operands.length > 0 && !args.flags.some(({ name }) => name === "--list")
    ? "a name without --list may be made"
    : checkFormat(args);
}

/** Settings that hold passwords or decide where they are sent. */
const secretSetting = /header|password|passw|token|secret|credential|proxy|cookie|sslkey|sslcert|url\./i;

/**
 * git's subcommands, as far as they only read. Git decides itself if an operand is a revision or a path, so each is
 * treated as a path. Left out is everything that writes a file, runs a program from the repository's settings, contacts
 * others, or looks into submodules, which have their own settings (`describe --dirty`; we add `--ignore-submodules`).
 */
export const gitTable: Readonly<Record<string, ArgumentRow>> = {
  status: {
    flags:
      "-sbz -u[=word] --short --branch --show-stash --porcelain[=word] --long --untracked-files[=word] --ignored[=word] --null --no-ahead-behind --ahead-behind --renames --no-renames --find-renames[=word] --column[=word] --no-column",
    operands: "path",
  },
  log: { ...log, check: checkHistory("log") },
  show: { ...log, check: checkHistory("show") },
  diff: { flags: `${diffFlags} --cached --staged --merge-base -0123`, operands: "path", check: checkFormat },
  "diff-tree": { flags: `${diffFlags} -rtm --root --no-commit-id --cc --merge-base`, operands: "path" },
  shortlog: {
    flags: `${revisionFlags} -nsec --numbered --summary --email --group=word`,
    operands: "path",
    check: checkFormat,
  },
  "rev-list": {
    flags: `${revisionFlags} --count --objects --timestamp --header --disk-usage`,
    operands: "path",
    check: checkFormat,
  },
  blame: {
    flags:
      "-bcflnstewMC -L=word --root --show-stats --line-porcelain --porcelain --incremental --show-name --show-number --show-email --date=word --abbrev=number --first-parent --since=word --color-lines --color-by-age --reverse",
    operands: "path",
  },
  grep: {
    flags:
      "-aiIvwEGFPnlLcohHrpWqz -# -e=word -A=number -B=number -C=number -m=number --text --ignore-case --invert-match --word-regexp --extended-regexp --basic-regexp --fixed-strings --perl-regexp --line-number --column --files-with-matches --name-only --files-without-match --count --only-matching --recursive --no-recursive --max-depth=number --show-function --function-context --after-context=number --before-context=number --context=number --heading --break --color[=word] --no-color --cached --untracked --quiet --all-match --and --or --not --full-name --max-count=number --null",
    operands: "pattern",
    patternFlags: ["-e"],
  },
  "ls-files": {
    flags:
      "-cdmoistuvfkz --cached --deleted --modified --others --ignored --stage --unmerged --killed --directory --no-empty-directory --full-name --error-unmatch --exclude-standard --exclude=word -x=word --abbrev[=number] --eol --deduplicate",
    operands: "path",
  },
  "ls-tree": {
    flags:
      "-drtlz --long --name-only --name-status --object-only --abbrev[=number] --full-name --full-tree --format=word",
    operands: "path",
  },
  "cat-file": { flags: "-tspe", operands: "path", least: 1, most: 1, check: checkCatFile },
  branch: {
    flags: `${listFlags} -arv --all --remotes --verbose --show-current --abbrev[=number] --no-abbrev`,
    ...names,
    check: checkList,
  },
  tag: { flags: `${listFlags} -l -n[=number]`, ...names, check: checkTags },
  "rev-parse": {
    flags:
      "-q --quiet --verify --short[=number] --abbrev-ref[=word] --symbolic --symbolic-full-name --all --branches[=word] --tags[=word] --remotes[=word] --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-git-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository --show-object-format --show-superproject-working-tree --git-path=word --path-format=word --revs-only --no-revs --default=word",
    operands: "path",
  },
  // A second name would be written.
  "symbolic-ref": { flags: "-q --quiet --short --recurse --no-recurse", ...names, least: 1, most: 1 },
  describe: {
    flags:
      "--all --tags --contains --abbrev=number --candidates=number --exact-match --long --match=word --exclude=word --always --first-parent",
    operands: "path",
  },
  "merge-base": { flags: "-a --all --octopus --independent --is-ancestor --fork-point", operands: "path" },
  "show-ref": {
    flags: "-dsq --head --heads --tags --branches --dereference --hash[=number] --verify --quiet --abbrev[=number]",
    ...names,
  },
  "for-each-ref": {
    flags:
      "--count=number --sort=word --format=word --color[=word] --points-at=word --merged=word --no-merged=word --contains=word --no-contains=word --ignore-case",
    ...names,
    check: checkFormat,
  },
  "name-rev": {
    flags: "--tags --refs=word --exclude=word --all --name-only --no-undefined --always",
    operands: "path",
  },
  "count-objects": { flags: "-vH --verbose --human-readable" },
  "check-ignore": { flags: "-qvn --quiet --verbose --non-matching --no-index", operands: "path" },
  cherry: { flags: "-v --abbrev[=number]", operands: "path" },
  remote: { flags: "-v --verbose" },
  "remote get-url": { ...names, least: 1, most: 1, check: checkRemote },
  "stash list": { flags: `${revisionFlags} --relative-date`, check: checkFormat },
  "stash show": {
    flags: `${diffFlags} --include-untracked --only-untracked`,
    ...names,
    most: 1,
    check: ({ flags }) => checkStash(flags.map(({ name }) => name)),
  },
  reflog: { flags: `${revisionFlags} --relative-date`, check: checkFormat },
  "reflog show": { flags: `${revisionFlags} --relative-date`, operands: "path", check: checkFormat },
  "bisect log": {},
  "notes list": { ...names, most: 1 },
  "worktree list": { flags: "-vz --verbose --porcelain" },
  config: {
    flags:
      "--get --get-all --global --local --system --show-origin --show-scope --null -z --name-only --bool --int --type=word --default=word",
    ...names,
    most: 1,
    least: 1,
    check: checkConfig,
  },
};

/** A bare hash may belong to any file. */
function checkCatFile({ flags: [flag, ...more], operands: [object] }: GivenArguments): string | undefined {
  if (!flag || more.length > 0) return "it needs one of -t, -s, -p, -e";
  return flag.name === "-p" && /^[0-9a-f]{4,}$/i.test(object?.text ?? "")
    ? "a hash does not say which file it shows"
    : undefined;
}

/** Untracked files are stored separately, where no path can exclude them. */
function checkStash(flags: readonly string[]): string | undefined {
  const isMore = flags.some((flag) => flag.endsWith("-untracked"));
  return isMore && showsContents("stash show", flags) ? "it shows files that are not tracked" : undefined;
}

function checkTags(args: GivenArguments): string | undefined {
  return args.flags.some(({ name }) => name === "-l") ? checkFormat(args) : checkList(args);
}

function checkRemote({ operands: [name] }: GivenArguments): string | undefined {
  return name && /^\w[\w./-]*$/.test(name.text) ? undefined : "it is not a plain name";
}

function checkConfig({ operands: [key] }: GivenArguments): string | undefined {
  const isKey = key && /^[\w-]+(?:\.[\w-]+)+$/.test(key.text);
  return isKey && !secretSetting.test(key.text) ? undefined : "the setting may contain a password";
}
