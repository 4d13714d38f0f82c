import { resolvePath } from "../places/path-place.ts";
import { isInterpreter, programOf } from "../programs/programs.ts";
import { behindKeywords, joinedLines, programName, splitWords } from "../shell/command-text.ts";

export type RunFileContext = {
  cwd: string;
  home: string;
  /** Variables that hold folders, such as `CLAUDE_PROJECT_DIR`. */
  variables: Readonly<Record<string, string>>;
  /** The content of a text file; undefined: there is none. */
  read(path: string): string | undefined;
};

const MAX_DEPTH = 5;
const scriptName = /\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua|sh|bash|zsh|fish|r|jl|exs?|ps1|jar|phar|kts|groovy)$/i;
/** Options whose value is loaded or run. */
const loads =
  /^(?:-r|--require|--import|--loader|--experimental-loader|--rcfile|--init-file|-jar|-f|--file|--script|--config|--plugin)$/;
/** Programs that start the program named after them. */
const runners =
  /^(?:npx|pnpx|bunx|uv|uvx|poetry|pipenv|rye|hatch|pdm|bundle|exec|command|dotenv|nodemon|entr|time|pipx|watchexec|parallel)$/;
const packageRunners = /^(?:npm|pnpm|yarn|bun|node)$/;
const makers: Readonly<Record<string, readonly string[]>> = {
  make: ["GNUmakefile", "makefile", "Makefile"],
  gmake: ["GNUmakefile", "makefile", "Makefile"],
  just: ["justfile", "Justfile", ".justfile"],
  task: ["Taskfile.yml", "Taskfile.yaml"],
  rake: ["Rakefile"],
};
/** Subcommands of package managers that are followed by a program. */
const packageStarts = /^(?:exec|dlx|x)$/;
/** Variables that name files which a program loads first. */
const preloading = /^(?:LD_PRELOAD|BASH_ENV|ENV|PYTHONSTARTUP)=(.+)$/s;
/** A text that a shell reads from another program: `cat x.sh | bash`, `eval "$(cat x.sh)"`. */
const readsText = /\|\s*(?:\S*\/)?(?:ba|z|da|k|fi)?sh\b|\b(?:eval|source)\b|(?:^|\s)\.\s|<\(/;

/** Words between a runner and what it runs. */
const between = /^(?:run|exec|x|tool|serve|start|watch|test|--|-[-\w=]*|\d+[smh]?|[A-Za-z_]\w*=.*)$/;

/**
 * The files and folders that a command line runs with some program, as far as its words show: absolute, as named,
 * existing or not. Files that these run in turn are not followed, except for the scripts of a `package.json`.
 */
export function filesRun(line: string, context: RunFileContext): string[] {
  const found = new Set<string>();
  addLine(line, context, found, 0);
  return [...found];
}

function addLine(line: string, context: RunFileContext, found: Set<string>, depth: number): void {
  if (depth > MAX_DEPTH) return;
  let { cwd } = context;
  for (const part of joinedLines(spelledOut(line, context)).split(/[;&|<>`\n\r()]/)) {
    const words = behindKeywords(splitWords(part)).map((word) => word.replaceAll(BLANK, " "));
    const start = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
    for (const word of words.slice(0, start < 0 ? undefined : start))
      addPreloaded(word, words[start] ?? "", { ...context, cwd }, found);
    if (start < 0) continue;
    // The text of `sh -c` is split like the line around it.
    const text = words.findIndex((word, at) => at > start && /^-[a-zA-Z]*c$/.test(word)) + 1;
    const isText = text > 0 && programOf(programName(words[start] ?? "")).shell === true;
    const own = words.slice(isText ? text : start).filter((word, at) => at > 0 || word !== "{");
    if (own[0] === "cat" && readsText.test(line))
      for (const word of own.slice(1)) addCommand([".", word], { ...context, cwd }, found, depth);
    if (own[0] === "cd" && own[1] !== undefined) cwd = resolvePath(cwd, own[1]);
    else addCommand(own, { ...context, cwd }, found, depth);
  }
}

/** `BASH_ENV=x bash`, and `PATH=./bin:$PATH tool` as the tool in that folder. */
function addPreloaded(word: string, program: string, { cwd }: RunFileContext, found: Set<string>): void {
  const file = preloading.exec(word)?.[1];
  if (file !== undefined && !/[$*?]/.test(file)) found.add(resolvePath(cwd, file));
  const folders = /^PATH=(.+)$/s.exec(word)?.[1]?.split(":") ?? [];
  if (program === "" || program.includes("/")) return;
  for (const folder of folders) {
    if (folder !== "" && !/[$*?]|node_modules/.test(folder)) found.add(resolvePath(cwd, `${folder}/${program}`));
  }
}

/** Keeps a blank in a folder's name from splitting words. */
const BLANK = "\u001f";

function spelledOut(line: string, { cwd, home, variables }: RunFileContext): string {
  const assignments = [...line.matchAll(/(?:^|[\s;&])([A-Za-z_]\w*)=(["']?)([\w./-]+)\2(?=[\s;&]|$)/g)];
  const set = Object.fromEntries(assignments.map(([, name = "", , value = ""]) => [name, value]));
  const known: Readonly<Record<string, string>> = { PWD: cwd, HOME: home, ...set, ...variables };
  const value = (whole: string, name: string) => known[name]?.replaceAll(" ", BLANK) ?? whole;
  return line
    .replace(/\$\(\s*(?:pwd|git rev-parse --show-toplevel)\s*\)|`(?:pwd|git rev-parse --show-toplevel)`/g, () =>
      cwd.replaceAll(" ", BLANK),
    )
    .replace(/\$\{(\w+)(?::?[-=][^{}]*)?\}/g, value)
    .replace(/\$(\w+)/g, value)
    .replace(/(^|[\s"'=:])~(?=\/)/g, (_all, before: string) => before + home.replaceAll(" ", BLANK));
}

function addCommand(words: readonly string[], context: RunFileContext, found: Set<string>, depth: number): void {
  if (depth > MAX_DEPTH) return;
  const [first = "", ...rest] = words;
  const program = programName(first);
  const add = (word: string) => {
    if (word !== "" && !/[$*?]/.test(word)) found.add(resolvePath(context.cwd, word));
  };
  if (first.includes("/") || scriptName.test(first)) add(first);
  const makefiles = makers[program];
  if (makefiles) addMade(rest, makefiles, context, add);
  else if (program === "." || program === "source") add(rest[0] ?? "");
  else if (packageRunners.test(program) && addScripts(rest, context, found, depth)) return;
  else if (packageRunners.test(program) && packageStarts.test(rest[0] ?? ""))
    addCommand(["npx", ...rest.slice(1)], context, found, depth + 1);
  else if (program === "deno" && rest[0] === "task") for (const name of ["deno.json", "deno.jsonc"]) add(name);
  else if (program === "find" || program === "flock") addBehind(program, rest, context, found, depth);
  else if (isInterpreter(program) || program === "java" || program === "go") addProgram(rest, context, found, depth);
  else if (runners.test(program) || programOf(program).starts) {
    const start = rest.findIndex((word) => !between.test(word));
    if (start >= 0) addCommand(rest.slice(start), context, found, depth + 1);
  } else if (first.includes("/")) return;
  else for (const [at, word] of rest.entries()) if (loads.test(rest[at - 1] ?? "") && scriptName.test(word)) add(word);
}

/** `find . -exec ./x {} +`, `flock FILE ./x`. */
function addBehind(
  program: string,
  rest: readonly string[],
  context: RunFileContext,
  found: Set<string>,
  depth: number,
): void {
  const before = program === "find" ? /^-(?:exec|execdir|ok|okdir)$/ : /^[^-]/;
  const at = rest.findIndex((word) => before.test(word));
  if (at >= 0) addCommand(rest.slice(at + 1), context, found, depth + 1);
}

/** An interpreter's file, a module, or a text that a shell reads. */
function addProgram(rest: readonly string[], context: RunFileContext, found: Set<string>, depth: number): void {
  const add = (word: string) => found.add(resolvePath(context.cwd, word));
  for (const [at, word] of rest.entries()) {
    const next = rest[at + 1] ?? "";
    const [option = "", value] = word.split(/=(.*)/s);
    if (word === "-m" && next !== "") {
      const path = next.replaceAll(".", "/");
      for (const each of [`${path}.py`, path]) add(each);
      return;
    }
    if (/^-[a-zA-Z]*c$/.test(word)) {
      addCommand(rest.slice(at + 1), context, found, depth + 1);
      return;
    }
    if (loads.test(option)) add(value ?? next);
    else if (
      !/^[-+]/.test(word) &&
      !loads.test(rest[at - 1] ?? "") &&
      !/^(?:run|x|exec|serve|test|watch)$/.test(word)
    ) {
      add(word);
      return;
    }
  }
}

function addMade(
  rest: readonly string[],
  names: readonly string[],
  { cwd }: RunFileContext,
  add: (path: string) => void,
): void {
  const optionOf = (short: string, long: string) => {
    const at = rest.findIndex((word) => word === short || word === long);
    return at >= 0 ? rest[at + 1] : rest.find((word) => word.startsWith(`${long}=`))?.slice(long.length + 1);
  };
  const folder = resolvePath(cwd, optionOf("-C", "--directory") ?? ".");
  const file = optionOf("-f", "--file");
  for (const name of file === undefined ? names : [file]) add(resolvePath(folder, name));
}

/** A `package.json` script, with its pre- and post-scripts. */
function addScripts(rest: readonly string[], context: RunFileContext, found: Set<string>, depth: number): boolean {
  const at = rest.findIndex((word) => /^(?:-C|--prefix|--cwd|--dir)$/.test(word));
  const folder = at < 0 ? context.cwd : resolvePath(context.cwd, rest[at + 1] ?? ".");
  const path = resolvePath(folder, "package.json");
  const scripts = scriptsOf(context.read(path));
  const names = rest.filter((word, index) => !word.startsWith("-") && (at < 0 || index !== at + 1));
  const name = names.find((word) => scripts[word] !== undefined);
  if (name === undefined) return false;
  found.add(path);
  for (const each of [`pre${name}`, name, `post${name}`]) {
    addLine(scripts[each] ?? "", { ...context, cwd: folder }, found, depth + 1);
  }
  return true;
}

/** The scripts in the text of a `package.json`. */
export function scriptsOf(text: string | undefined): Readonly<Record<string, string>> {
  try {
    const { scripts } = JSON.parse(text ?? "{}");
    const all = Object.entries(scripts ?? {}).filter((pair): pair is [string, string] => typeof pair[1] === "string");
    return Object.fromEntries(all);
  } catch {
    return {};
  }
}
