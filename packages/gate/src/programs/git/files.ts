import { firstValue, operandsOf } from "../arguments/operands.ts";
import type { FileWords } from "../program.ts";
import { withoutGitOptions } from "./words.ts";

/** Files and folders that git changes by its words. */
export function gitFiles(words: readonly string[]): Partial<FileWords> {
  const [command = "", ...rest] = withoutGitOptions(words);
  const base = baseOf(words);
  const { written = [], folders = [] } = ofSubcommand(command, rest);
  const placed = (path: string) => (base === undefined || path.startsWith("/") ? path : `${base}/${path}`);
  return { written: written.map(pathspec).map(placed), folders: folders.map(pathspec).map(placed) };
}

/** The folder that `-C` leads to. */
export function baseOf(words: readonly string[]): string | undefined {
  return firstValue(words.slice(0, words.length - withoutGitOptions(words).length), "-C");
}

/** `:/a` and `:(top)a` count from the top of the work tree: taken for the folder that it runs in. */
function pathspec(text: string): string {
  return text.replace(/^:(?:\/|\([^)]*\))/, "./");
}

function ofSubcommand(command: string, rest: readonly string[]): Partial<FileWords> {
  const has = (option: RegExp) => rest.some((word) => option.test(word));
  const output = firstValue(rest, "-o --output --output-directory");
  const named = output === undefined ? [] : [output];
  switch (command) {
    case "checkout":
      return checkedOut(rest);
    case "restore":
      if (has(/^(?:-S|--staged)$/) && !has(/^(?:-W|--worktree)$/)) return {};
      return both(operandsOf(rest, /^-s$/));
    case "rm":
      return has(/^--cached$/) ? {} : both(operandsOf(rest));
    case "mv":
      return both(operandsOf(rest));
    case "clean":
      return { folders: operandsOf(rest, /^-e$/).length > 0 ? operandsOf(rest, /^-e$/) : ["."] };
    case "apply":
    case "am":
      return has(/^--(?:check|stat|numstat|summary|cached)$/)
        ? {}
        : { folders: [firstValue(rest, "--directory") ?? "."] };
    case "checkout-index":
    case "read-tree":
      return { folders: ["."] };
    case "archive":
    case "diff":
    case "log":
    case "show":
    case "format-patch":
      return { written: command === "log" || command === "show" ? named.filter((each) => each !== "") : named };
    case "clone":
    case "submodule":
      return command === "clone"
        ? { folders: operandsOf(rest, /^-[bcoju]$|^--(?:depth|branch|origin|config)$/).slice(1, 2) }
        : {};
    case "worktree":
      return {
        folders: rest[0] === "add" || rest[0] === "remove" ? operandsOf(rest.slice(1), /^-[bB]$/).slice(0, 1) : [],
      };
    case "init":
      return { folders: operandsOf(rest, /^-b$/).slice(0, 1) };
    default:
      return {};
  }
}

function both(paths: readonly string[]): Partial<FileWords> {
  return { written: [...paths], folders: [...paths] };
}

/** Before `--` one word may be a branch, whose name does not say which files change. */
function checkedOut(rest: readonly string[]): Partial<FileWords> {
  if (rest.some((word) => /^(?:-b|-B|--orphan|--detach|-d|-t|--track)$/.test(word))) return {};
  const mark = rest.indexOf("--");
  if (mark >= 0) return both(rest.slice(mark + 1));
  const words = operandsOf(rest);
  const [first = "", ...paths] = words;
  const isFile = /^\.{0,2}\/|^\.|\.[a-zA-Z0-9]{1,8}$/.test(first) && paths.length === 0;
  return isFile ? both(words) : { written: paths, folders: words };
}
