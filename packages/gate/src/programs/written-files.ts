import { operandsOf } from "./arguments/operands.ts";
import { withoutGitOptions } from "./git-words.ts";
import { sedScript, sedScripts } from "./scripts/sed-script.ts";

/** Files that a program writes by its words; `folders`: in these it writes files that its words do not name. */
type Written = { files: string[]; folders: string[] };

type Reader = (rest: readonly string[]) => Partial<Written>;

/** Programs whose words need a reading of their own. */
const programs: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["git", gitWritten],
  ["patch", patchWritten],
  ["split", (rest) => prefixed(operandsOf(rest, /^-[abClnt]$/)[1] ?? "x")],
  ["csplit", (rest) => prefixed(valueIn(rest, /^(?:-f|--prefix)$/) ?? "xx")],
  ["unzip", (rest) => into(valueIn(rest, /^-d$/), !rest.some((word) => /^-[a-zA-Z]*[lptvzZ]/.test(word)))],
  ["tar", tarWritten],
  ["bsdtar", tarWritten],
  ["7z", (rest) => into(rest.find((word) => /^-o./.test(word))?.slice(2), /^[xe]$/.test(rest[0] ?? ""))],
  [
    "cpio",
    (rest) =>
      into(
        valueIn(rest, /^-D$/),
        rest.some((word) => /^(?:-[a-zA-Z]*[ip]|--extract|--pass-through)/.test(word)),
      ),
  ],
  ["rm", (rest) => removed(rest, /^(?:-[a-zA-Z]*[rR]|--r)/)],
  ["mv", (rest) => ({ folders: operandsOf(rest, /^-[St]$/) })],
  ["chmod", (rest) => removed(rest, /^(?:-[a-zA-Z]*R|--r)/)],
  ["chown", (rest) => removed(rest, /^(?:-[a-zA-Z]*R|--r)/)],
  ["rsync", (rest) => ({ folders: operandsOf(rest, /^-[efM]$/).slice(-1) })],
  [
    "cp",
    (rest) =>
      removed(
        operandsOf(rest, /^-[St]$/)
          .slice(-1)
          .concat(rest.filter((word) => word.startsWith("-"))),
        /^-[a-zA-Z]*[rRa]|^--(?:r|a)/,
      ),
  ],
  ["find", (rest) => ({ folders: rest.includes("-delete") ? startsOfFind(rest) : [] })],
  ["ed", edited],
  ["red", edited],
  ["ex", edited],
  ["vi", edited],
  ["vim", edited],
  ["nvim", edited],
  ["nano", edited],
  ["pico", edited],
  ["emacs", edited],
  ["micro", edited],
  ["awk", awkWritten],
  ["gawk", awkWritten],
  ["mawk", awkWritten],
  ["nawk", awkWritten],
  ["sed", (rest) => ({ files: sedScripts(rest).flatMap((script) => sedScript(script).writes) })],
  ["gsed", (rest) => ({ files: sedScripts(rest).flatMap((script) => sedScript(script).writes) })],
]);

export function writtenBy(program: string, rest: readonly string[]): Written {
  const { files = [], folders = [] } = programs.get(program)?.(rest) ?? {};
  return { files, folders };
}

/** The value of an option, apart, attached, or behind `=`. */
function valueIn(rest: readonly string[], option: RegExp): string | undefined {
  for (const [index, word] of rest.entries()) {
    if (option.test(word)) return rest[index + 1];
    const [name = ""] = word.split("=");
    if (word.startsWith("--") && name !== word && option.test(name)) return word.slice(name.length + 1);
    if (/^-[a-zA-Z]./.test(word) && option.test(word.slice(0, 2))) return word.slice(2);
  }
  return undefined;
}

function into(folder: string | undefined, writes: boolean): Partial<Written> {
  return writes ? { folders: [folder ?? "."] } : {};
}

/** Files whose names begin so. */
function prefixed(prefix: string): Partial<Written> {
  return { files: [prefix], folders: [prefix.includes("/") ? prefix.slice(0, prefix.lastIndexOf("/")) || "/" : "."] };
}

/** What lies in folders goes with them. */
function removed(rest: readonly string[], recursive: RegExp): Partial<Written> {
  return rest.some((word) => recursive.test(word)) ? { folders: operandsOf(rest) } : {};
}

function startsOfFind(rest: readonly string[]): string[] {
  const end = rest.findIndex((word) => /^[-(!]/.test(word));
  const starts = rest.slice(0, end < 0 ? undefined : end);
  return starts.length === 0 ? ["."] : starts;
}

function edited(rest: readonly string[]): Partial<Written> {
  return { files: operandsOf(rest, /^(?:-[cSsTtuUwWp]|--cmd|--eval|-l|-f)$/).filter((word) => !word.startsWith("+")) };
}

/** The file that a patch names is only known when it is read. */
function patchWritten(rest: readonly string[]): Partial<Written> {
  if (rest.includes("--dry-run")) return {};
  const [file] = operandsOf(rest, /^-[pidDBoFgrVYz]$/);
  const folder = valueIn(rest, /^(?:-d|--directory)$/);
  return file === undefined
    ? { folders: [folder ?? "."] }
    : { files: [folder === undefined ? file : `${folder}/${file}`] };
}

function tarWritten(rest: readonly string[]): Partial<Written> {
  const [first = ""] = rest;
  const mode = /^-?[a-zA-Z]+$/.test(first) ? first : "";
  const extracts = mode.includes("x") || rest.some((word) => /^(?:-[a-zA-Z]*x|--extract$|--get$)/.test(word));
  return into(valueIn(rest, /^(?:-C|--directory)$/), extracts && !rest.includes("-O") && !rest.includes("--to-stdout"));
}

function awkWritten(rest: readonly string[]): Partial<Written> {
  const files = rest.flatMap((word) => [...word.matchAll(/>>?\s*"([^"]+)"/g)].map((match) => match[1] ?? ""));
  // A name that the program puts together; what is compared stands in parentheses or before a block.
  const isOpen = rest.some((word) => /\bprintf?\b[^"}]*(?:"[^"]*"[^"}]*)*>>?\s*[^"\s=0-9]/.test(word.slice(0, 500)));
  return { files, folders: isOpen ? ["/"] : [] };
}

function gitWritten(words: readonly string[]): Partial<Written> {
  const [command = "", ...rest] = withoutGitOptions(words);
  const base = valueIn(words.slice(0, words.length - rest.length - 1), /^-C$/);
  const { files = [], folders = [] } = ofSubcommand(command, rest);
  const placed = (path: string) => (base === undefined || path.startsWith("/") ? path : `${base}/${path}`);
  return { files: files.map(pathspec).map(placed), folders: folders.map(pathspec).map(placed) };
}

/** `:/a` and `:(top)a` count from the top of the work tree: taken for the folder that it runs in. */
function pathspec(text: string): string {
  return text.replace(/^:(?:\/|\([^)]*\))/, "./");
}

function ofSubcommand(command: string, rest: readonly string[]): Partial<Written> {
  const has = (option: RegExp) => rest.some((word) => option.test(word));
  const output = valueIn(rest, /^(?:-o|--output|--output-directory)$/);
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
        : { folders: [valueIn(rest, /^--directory$/) ?? "."] };
    case "checkout-index":
    case "read-tree":
      return { folders: ["."] };
    case "archive":
    case "diff":
    case "log":
    case "show":
    case "format-patch":
      return { files: command === "log" || command === "show" ? named.filter((each) => each !== "") : named };
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

function both(paths: readonly string[]): Written {
  return { files: [...paths], folders: [...paths] };
}

/** Before `--` one word may be a branch: which files of it change, its name does not tell. */
function checkedOut(rest: readonly string[]): Partial<Written> {
  if (rest.some((word) => /^(?:-b|-B|--orphan|--detach|-d|-t|--track)$/.test(word))) return {};
  const mark = rest.indexOf("--");
  if (mark >= 0) return both(rest.slice(mark + 1));
  const words = operandsOf(rest);
  const [first = "", ...paths] = words;
  const isFile = /^\.{0,2}\/|^\.|\.[a-zA-Z0-9]{1,8}$/.test(first) && paths.length === 0;
  return isFile ? both(words) : { files: paths, folders: words };
}
