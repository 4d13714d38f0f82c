import type { ShellCommand, ShellGrammar, ShellReading } from "@harness/gate";
import type { Parser } from "web-tree-sitter";
import { CommandWalk } from "./command-walk.ts";

const MAX_CHARACTERS = 10_000;
const MAX_DEPTH = 8;
/** A hostile text must not block the process for longer; people's commands take a few milliseconds. */
const DEADLINE_MS = 150;
/** Characters that separate commands: with very many of them the parser works for long without a break. */
const MAX_PARTS = 1500;
const tooSlow = "takes too long to read";

/** Control characters and spaces at which the grammar, unlike bash, splits words; and lone surrogates. */
const unsure =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u1680\u180e\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ud800-\udfff\ufeff]/u;

/** Bash as parsed by tree-sitter. Costs nothing before `load`. */
export function createShellGrammar(): ShellGrammar {
  let parser: Parser | undefined;
  let loading: Promise<void> | undefined;
  // The same command is parsed several times while it is judged.
  let latest: { command: string; reading: ShellReading } | undefined;
  return {
    load() {
      loading ??= loadParser().then(
        (loaded) => {
          parser = loaded;
        },
        // Without it commands are read by text alone, which is stricter.
        () => undefined,
      );
      return loading;
    },
    read(command, time = { leftMs: DEADLINE_MS }) {
      if (!parser) return undefined;
      if (latest?.command === command) return latest.reading;
      const { leftMs } = time;
      if (leftMs <= 0) return failedReading(tooSlow);
      const start = performance.now();
      const reading = new BashReader(parser, Math.min(leftMs, DEADLINE_MS)).read(command, 0);
      time.leftMs -= performance.now() - start;
      // A reading that ran out of time may succeed with more of it.
      if (leftMs >= DEADLINE_MS) latest = { command, reading };
      return reading;
    },
  };
}

async function loadParser(): Promise<Parser> {
  const [{ Parser, Language }, { createRequire }, { readFile }, { setFlagsFromString }] = await Promise.all([
    import("web-tree-sitter"),
    import("node:module"),
    import("node:fs/promises"),
    import("node:v8"),
  ]);
  // Commands are short: V8's second, optimizing compilation of the grammar costs 0.4 s of CPU and 60 MB and saves
  // nothing.
  setFlagsFromString("--wasm-tiering-budget=2000000000");
  const require = createRequire(import.meta.url);
  const [engine, grammar] = await Promise.all([
    readFile(require.resolve("web-tree-sitter/web-tree-sitter.wasm")),
    readFile(require.resolve("tree-sitter-bash/tree-sitter-bash.wasm")),
  ]);
  await Parser.init({ wasmBinary: engine });
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  return parser;
}

class BashReader {
  readonly #parser: Parser;
  readonly #deadline: number;

  constructor(parser: Parser, withinMs: number) {
    this.#parser = parser;
    this.#deadline = performance.now() + withinMs;
  }

  read(command: string, depth: number): ShellReading {
    if (command.length > MAX_CHARACTERS) return failedReading("is longer than 10,000 characters");
    if (depth > MAX_DEPTH) return failedReading("is nested too deeply");
    if ((command.match(/[|&;]/g)?.length ?? 0) > MAX_PARTS) return failedReading("has more parts than can be read");
    const one = this.#readText(command, depth);
    // The grammar splits words at a backslash and line end; bash joins them, except in comments.
    const joined = command.replace(/\\(\\|\n)/g, (pair, second) => (second === "\n" ? "" : pair));
    if (joined === command) return one;
    const other = this.#readText(joined, depth);
    const problem = one.problem ?? other.problem;
    const commands = [...other.commands, ...one.commands.filter((each) => !includes(other.commands, each))];
    return problem === undefined ? { commands } : { commands, problem };
  }

  #readText(command: string, depth: number): ShellReading {
    try {
      const tree = this.#parser.parse(command, null, { progressCallback: () => performance.now() > this.#deadline });
      if (!tree) {
        this.#parser.reset();
        return failedReading(tooSlow);
      }
      try {
        const walk = new CommandWalk(command, (text) => this.read(text, depth + 1), this.#deadline);
        walk.walk(tree.rootNode);
        const problem = problemOf(command, tree.rootNode.hasError) ?? walk.problem;
        return problem === undefined ? { commands: walk.commands } : { commands: walk.commands, problem };
      } finally {
        tree.delete();
      }
    } catch {
      return failedReading("cannot be read");
    }
  }
}

function problemOf(command: string, hasError: boolean): string | undefined {
  if (hasError) return "is not bash that can be read for certain";
  return unsure.test(command) ? "contains characters at which shells and people separate words differently" : undefined;
}

function failedReading(problem: string): ShellReading {
  return { commands: [], problem };
}

function includes(commands: readonly ShellCommand[], wanted: ShellCommand): boolean {
  const text = JSON.stringify(wanted);
  return commands.some((each) => JSON.stringify(each) === text);
}
