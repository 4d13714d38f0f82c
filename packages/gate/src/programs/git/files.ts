import { firstValue, operandsOf, valuesOf } from "../arguments/operands.ts";
import type { FileWords } from "../program.ts";
import { withoutGitOptions } from "./words.ts";

/** Stands for the whole work tree, whichever of its folders git runs in. */
export const WHOLE_TREE = ":/";

/** Files and folders that git changes according to its words. */
export function gitFiles(words: readonly string[]): Partial<FileWords> {
  const [command = "", ...rest] = withoutGitOptions(words);
  const base = baseOf(words);
  const { written = [], folders = [] } = ofSubcommand(command, rest);
  const placed = (path: string) => (base === undefined || path.startsWith("/") ? path : `${base}/${path}`);
  const tree = changesTree(command, rest) ? [base === undefined ? WHOLE_TREE : `${WHOLE_TREE}${base}`] : [];
  const output = firstValue(rest, "--output");
  const all = output === undefined || written.includes(output) ? written : [...written, output];
  return { written: all.map(pathspec).map(placed), folders: [...folders.map(pathspec).map(placed), ...tree] };
}

/** True if it changes files of the work tree that its words do not name. */
function changesTree(command: string, rest: readonly string[]): boolean {
  const has = (option: RegExp) => rest.some((word) => option.test(word));
  const [first = "", ...more] = operandsOf(rest);
  switch (command) {
    case "stash":
      return !/^(?:list|show|drop|clear|create|store)$/.test(first);
    case "reset":
      return has(/^--(?:h|m[^i]|k)/);
    case "bisect":
      return !/^(?:log|view|visualize|terms|help)$/.test(first);
    case "checkout":
      return !rest.includes("--") && !(has(/^(?:-[a-z]*[bB]|--orphan)$/) && more.length === 0) && !isFile(first);
    case "switch":
      return !(has(/^(?:-[a-z]*[cC]|--create|--force-create|--orphan)$/) && more.length === 0);
    case "read-tree":
      return has(/^(?:-[a-z]*u|--reset)/);
    case "submodule":
      return /^(?:update|add|deinit|foreach)$/.test(first);
    case "sparse-checkout":
      return first !== "list";
    case "subtree":
    case "lfs":
      return /^(?:pull|merge|add|checkout|migrate)$/.test(first);
    case "svn":
      return /^(?:rebase|clone|reset)$/.test(first);
    default:
      return treeChanging.test(command) && !has(/^--(?:check|stat|numstat|summary|cached)$/);
  }
}

const treeChanging =
  /^(?:merge|pull|rebase|cherry-pick|revert|am|filter-branch|filter-repo|mergetool|checkout-index|quiltimport|citool|gui)$/;
/** A branch may have such a name as well; a version such as v1.2 does not match. */
const isFile = (word: string) => /^\.{0,2}\/|^\.|\.[a-zA-Z][a-zA-Z0-9]{0,7}$/.test(word);

/** The folder that `-C` leads to. */
export function baseOf(words: readonly string[]): string | undefined {
  return firstValue(words.slice(0, words.length - withoutGitOptions(words).length), "-C");
}

/** `:/a` and `:(top)a` are relative to the top of the work tree, which is assumed to be the current folder. */
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
    case "archive":
    case "diff":
      return { written: named };
    case "format-patch":
      return has(/^--stdout$/) ? {} : { folders: named.length > 0 ? named : ["."] };
    case "bundle":
      return rest[0] === "create" ? { written: operandsOf(rest.slice(1), /^-[qn]$/).slice(0, 1) } : {};
    case "fast-export":
    case "fast-import":
      return { written: valuesOf(rest, "--export-marks --export-pack-edges") };
    case "bugreport":
    case "diagnose":
      return { folders: [...named, "."].slice(0, 1) };
    case "clone":
      return createdFolder(operandsOf(rest, /^-[bcoju]$|^--(?:depth|branch|origin|config)$/).slice(1, 2));
    case "submodule":
      return rest[0] === "add"
        ? createdFolder(operandsOf(rest.slice(1), /^(?:-b|--(?:branch|name|depth|reference))$/).slice(1, 2))
        : {};
    case "worktree":
      if (rest[0] === "move") return both(operandsOf(rest.slice(1)));
      return rest[0] === "add" || rest[0] === "remove"
        ? createdFolder(operandsOf(rest.slice(1), /^-[bB]$/).slice(0, 1))
        : {};
    case "init":
      return createdFolder(operandsOf(rest, /^-b$|^--(?:initial-branch|template|separate-git-dir)$/).slice(0, 1));
    default:
      return {};
  }
}

/** A folder that it creates and fills. */
function createdFolder(folder: readonly string[]): Partial<FileWords> {
  return { written: [...folder], folders: [...folder] };
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
  return isFile(first) && paths.length === 0 ? both(words) : { written: paths, folders: words };
}
