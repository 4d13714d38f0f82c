import { isAddress, isPath, isRepository, isTransport } from "./elsewhere.ts";
import type { Reach } from "./reach.ts";

const transport = (word: string) => (isTransport(word) ? ("starts" as const) : undefined);
/** The first operand is a repository; so may others be that cannot be branch names. */
const repository: Reach["operand"] = (word, at) => {
  if (isTransport(word)) return "starts";
  return (at === 0 ? isRepository(word) : isAddress(word) || isPath(word) || word.startsWith("+"))
    ? "reaches"
    : undefined;
};
/** Any address or path. */
const anyRepository: Reach["operand"] = (word) => transport(word) ?? (isRepository(word) ? "reaches" : undefined);

const strategies = /^(?:-s |--strat\w*=)(?:ort|recursive|resolve|octopus|ours|subtree)$/;
const showing: Reach = {
  starts: "--ext-diff --textconv",
  reaches: "--output --no-index -O",
  valued: "SGUnlLBMCX",
  harmless: "--text --no",
};
const startsAll: Reach = { itself: "starts", starts: "-x --extcmd --tool-help" };

/** By subcommand; git accepts abbreviations of all long names. */
const rows: Readonly<Record<string, Reach>> = {
  push: {
    starts: "--receive-pack --exec",
    reaches: "--repo --push-option -o --delete -d --prune --mirror --all --branches --signed --recurse-submodules",
    harmless: "--no --re",
    operand: repository,
  },
  "send-pack http-push": {
    starts: "--receive-pack --exec",
    reaches: "--mirror --all --stdin -d -D",
    operand: repository,
  },
  fetch: { starts: "--upload-pack", reaches: "--server-option -o --stdin --bundle-uri", operand: repository },
  pull: {
    starts: "--upload-pack -s --strategy",
    reaches: "--server-option -o",
    harmless: "--strategy-option",
    valued: "XjS",
    unless: strategies,
    operand: repository,
  },
  clone: {
    starts: "-u --upload-pack -c --config --template",
    reaches: "--separate-git-dir --reference --reference-if-able --bundle-uri --server-option",
    harmless: "--recurse-submodules --single-branch",
    valued: "bjo",
    operand: anyRepository,
  },
  "ls-remote fetch-pack": { starts: "--upload-pack --exec", reaches: "--server-option -o", operand: repository },
  remote: { operand: anyRepository },
  submodule: { operand: (word) => (word === "foreach" ? "starts" : anyRepository(word, 0)) },
  archive: { starts: "--exec", reaches: "-o --output --remote --add-file --add-virtual-file", operand: transport },
  rebase: { starts: "-x --exec -s --strategy", valued: "XSC", harmless: "--strategy-option", unless: strategies },
  merge: { starts: "-s --strategy", valued: "XmFS", harmless: "--strategy-option", unless: strategies },
  "cherry-pick revert": { starts: "--strategy", valued: "XmS", harmless: "--strategy-option", unless: strategies },
  commit: { valued: "mFCctS", reaches: "--template -t" },
  tag: { valued: "mFun", reaches: "-d --delete -f --force" },
  branch: { reaches: "-D -M -C -f --force --edit-description", valued: "u" },
  grep: {
    starts: "-O --open-files-in-pager --textconv --ext-grep",
    reaches: "--no-index",
    harmless: "--text --no --or --o",
    valued: "eABCmf",
  },
  "diff log show whatchanged diff-tree diff-files diff-index shortlog range-diff stash reflog": showing,
  "format-patch": { reaches: "-o --output-directory --output --signature-file", harmless: "--no", valued: "nvUMBC" },
  "blame annotate": { starts: "--textconv", reaches: "--contents", valued: "LSCM" },
  "cat-file": { starts: "--textconv --filters", harmless: "--filter" },
  apply: { reaches: "--directory --unsafe-paths --build-fake-ancestor", valued: "pC" },
  am: { reaches: "--directory", valued: "pCS" },
  checkout: { reaches: "--force -f -B --ours --theirs --pathspec-from-file", valued: "b" },
  "checkout-index": { reaches: "--prefix" },
  init: { starts: "--template", reaches: "--separate-git-dir" },
  "bugreport diagnose": { reaches: "-o --output-directory" },
  "update-index": { starts: "--fsmonitor", harmless: "--fsmonitor-valid" },
  "fast-export fast-import": { reaches: "--export-marks --export-pack-edges --import-marks --cat-blob-fd" },
  bundle: { operand: (word) => (isPath(word) ? "reaches" : undefined) },
  "read-tree": { reaches: "--index-output --prefix" },
  "index-pack": { reaches: "-o" },
  repack: { reaches: "--filter-to" },
  "interpret-trailers": { reaches: "--in-place" },
  "request-pull subtree": { starts: "-s --strategy", operand: anyRepository, unless: strategies },
  help: { starts: "-w --web" },
  bisect: { operand: (word) => (/^(?:run|visualize|view)$/.test(word) ? "starts" : undefined) },
  "worktree add rm mv restore switch status reset clean": {},
  "credential credential-store credential-cache difftool mergetool filter-branch filter-repo send-email instaweb":
    startsAll,
  "for-each-repo maintenance hook daemon web--browse merge-index cvsserver shell gui citool remote-ext remote-fd":
    startsAll,
  "upload-pack receive-pack upload-archive http-backend fsmonitor--daemon imap-send quiltimport p4 svn": startsAll,
};

export const gitReaches: Readonly<Record<string, Reach>> = Object.fromEntries(
  Object.entries(rows).map(([names, row]) => [names, { ...row, shortens: true }]),
);

/** For subcommands that are not in the table. */
export const otherSubcommand: Reach = {
  shortens: true,
  starts: "--ext-diff --textconv --upload-pack --receive-pack --exec --extcmd",
  reaches: "--output --output-directory",
  harmless: "--text",
};

/** Settings that start no program. */
const plainSettings =
  /^(?:user\.(?:name|email)|color\.\w+|core\.(?:quotepath|autocrlf|safecrlf|abbrev|commentchar|ignorecase|filemode|longpaths|symlinks|bare)|(?:core\.(?:pager|hookspath|editor)|pager\.\w+|core\.fsmonitor)=(?:false|true|\/dev\/null|)$|advice\.\w+|init\.defaultbranch|log\.\w+|status\.\w+|column\.\w+|commit\.gpgsign=false$|tag\.gpgsign=false$|rebase\.(?:autostash|autosquash|updaterefs)|merge\.(?:conflictstyle|ff|renames)|push\.default|pull\.(?:ff|rebase)|fetch\.prune|diff\.(?:algorithm|renames|context|colormoved|noprefix|mnemonicprefix)|http\.(?:lowspeed\w+|postbuffer)|protocol\.version|gc\.auto|safe\.directory)(?:=|$)/i;

/** True if a word before git's subcommand starts programs or loads settings from elsewhere. */
export function isGitStart(word: string, next: string): boolean {
  const setting = word === "-c" ? next : /^-c./.test(word) ? word.slice(2) : undefined;
  if (setting !== undefined) return !plainSettings.test(setting);
  return /^--(?:config-env|exec-path=|git-dir|work-tree|super-prefix|attr-source)/.test(word);
}
