import { withoutGitOptions } from "../programs/git-words.ts";
import type { CheckedCommand } from "../shell/checked-line.ts";

/** Programs that tell about files and not what is in them. */
const listers =
  /^(?:ls|find|tree|du|df|stat|echo|printf|basename|dirname|realpath|readlink|test|cd|pwd|type|which|command)$/;
const gitReaders = /^(?:diff|show|grep|whatchanged|diff-tree|cat-file|stash)$/;
/** Flags with which git's lists show what is in files. */
const showsPatches = /^(?:-[pucLSG]|--(?:patch|cc|unified|word-diff|color-words))/;

/** Does it read files of which its words do not tell all: those of a pattern, of a whole folder, or of a history? */
export function readsOpenly({ program, args }: CheckedCommand): boolean {
  if (listers.test(program)) return false;
  const words = args.map(({ text }) => text);
  if (program === "git") {
    const [subcommand = ""] = withoutGitOptions(words);
    return gitReaders.test(subcommand) || (subcommand !== "ls-files" && words.some((word) => showsPatches.test(word)));
  }
  if (program === "rg" || program === "diff" || args.some(({ glob }) => glob)) return true;
  return /^[ef]?grep$/.test(program) && words.some((word) => /^(?:-[a-zA-Z]*r|--recursive$)/.test(word));
}
