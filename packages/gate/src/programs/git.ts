import type { ShellWord } from "../ports/shell-grammar.ts";
import { startAliases } from "./git/aliases.ts";
import { changesOnly, copiesFiles, mayPrintFiles } from "./git/contents.ts";
import { baseOf, gitFiles } from "./git/files.ts";
import { hardenGit } from "./git/hardening.ts";
import { readGit } from "./git/reading.ts";
import {
  changesWorkTree,
  commandsForGit,
  discardsWork,
  isForcedPush,
  isGitConfigWrite,
  withoutGitOptions,
} from "./git/words.ts";
import type { Programs } from "./program.ts";
import { addText, hiddenGitSettings, type StartReader } from "./starts/started-commands.ts";

const startByGit: StartReader = (started, rest, { words }, { aliasesFrom } = {}) => {
  const texts = rest.map(({ text }) => text);
  for (const text of commandsForGit(texts)) addText(started, { text, literal: !/[$`]/.test(text) });
  const git: ShellWord = words[0] ?? { text: "git", literal: true };
  startAliases(started, { git, words: rest }, aliasesFrom);
  if (texts.some((word) => word.startsWith("--config-env"))) started.problem ??= hiddenGitSettings;
  if (withoutGitOptions(texts).slice(0, 2).join(" ") === "bisect run")
    started.commands.push(rest.slice(texts.indexOf("run") + 1));
};

const showsFiles = /^(?:diff|show|grep|whatchanged|diff-tree|cat-file|stash)$/;
/** Flags that make git's lists show file contents. */
const showsPatches = /^(?:-[pucLSG]|--(?:patch|cc|unified|word-diff|color-words))/;

export const gitPrograms: Programs = {
  git: {
    reads: readGit,
    harden: hardenGit,
    version: "--version -v version",
    printsFiles: mayPrintFiles,
    opens: (args) => (mayPrintFiles(args) || copiesFiles(args) ? [baseOf(args) ?? "."] : []),
    opensNothing: changesOnly,
    texts: /^(?:-[a-zA-Z]*m|--message|--format|--pretty|--author|--date|--grep)$/,
    readsOpenly: (args) => {
      const words = args.map(({ text }) => text);
      const [subcommand = ""] = withoutGitOptions(words);
      const isNamed = subcommand !== "ls-files" && words.some((word) => showsPatches.test(word));
      if (mayPrintFiles(words)) return true;
      const isSummary = /^(?:diff|show)$/.test(subcommand) && !words.includes("--");
      return isNamed || (showsFiles.test(subcommand) && !isSummary);
    },
    startingSubcommands: ["bisect run"],
    start: startByGit,
    evaluates: true,
    files: gitFiles,
    replaces: (args) => /^(?:bundle|mv|rm|checkout|restore)$/.test(withoutGitOptions(args)[0] ?? ""),
    hosts: "refs",
    danger: (args) => {
      if (isForcedPush(args)) return "overwrites what others have pushed";
      return isGitConfigWrite(args) ? "changes git's settings, which can run programs" : undefined;
    },
    risk: (args) => (discardsWork(args) ? "throws away work that is not committed" : undefined),
    destructive: (args) => changesWorkTree(args) || /[$`]|[<>]\(/.test(args[0] ?? ""),
    wide: /^(?:-|(?:config|filter-branch|filter-repo|rm|bisect|submodule|difftool|mergetool|credential|daemon|send-email|clone|bundle|worktree add|worktree move|remote (?:add|set-url|set-head|rename|rm|remove)|maintenance|for-each-repo|instaweb|hook|init)(?: |$))/,
    nameWords: 2,
    longer: "stash remote worktree submodule bisect notes lfs flow",
    quiet: ([first = ""]) => /^(?:status|log|diff|show|rev-parse|ls-files|blame|describe|shortlog)$/.test(first),
    longNames: true,
  },
};
