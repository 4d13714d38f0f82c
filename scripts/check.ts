// `npm run check`: every check except the tests, as many at a time as there are processors. All of them run, whatever
// fails; a finding is one line. Exits with 1 if any failed.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";

type Check = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

const root = resolve(import.meta.dirname, "..");

/** The longest first. */
const checks: readonly Check[] = [
  {
    name: "types",
    command: "tsc",
    // Each checker of a project infers the shared types again: one per project takes half the processor time, and the
    // projects keep the processors busy. Much of the rest is garbage collection, and there is enough memory to do it
    // less often.
    args: ["-b", "--pretty", "false", "--checkers", "1", "--builders", String(availableParallelism())],
    env: { GOGC: "300" },
  },
  {
    name: "format and lint",
    command: "biome",
    args: ["ci", "--error-on-warnings", "--reporter=concise", "--max-diagnostics=none", "--colors=off"],
  },
  { name: "unused code", command: "knip", args: ["--no-progress"] },
  {
    name: "unused in production",
    command: "knip",
    args: ["--production", "--no-progress"],
  },
  { name: "generated pages", command: process.execPath, args: ["scripts/docs/generate.ts", "--check"] },
  { name: "structure", command: process.execPath, args: ["scripts/structure/check.ts"] },
];

function run({ command, args, env }: Check): Promise<{ isPassed: boolean; output: string }> {
  const path = `${join(root, "node_modules/.bin")}${delimiter}${process.env.PATH}`;
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env, PATH: path, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return new Promise((done) => {
    child.on("error", (error) => done({ isPassed: false, output: error.message }));
    child.on("close", (code) => done({ isPassed: code === 0, output }));
  });
}

/** Biome ends with a few lines that add nothing. */
const isIdle = (line: string): boolean =>
  line.trim() === "" || /^(Checked|Found) \d|━{5}|Some errors were emitted/.test(line);

function indented(output: string): string {
  const lines = stripVTControlCharacters(output).split("\n");
  return lines
    .filter((line) => !isIdle(line))
    .map((line) => `  ${line}\n`)
    .join("");
}

const waiting = [...checks];
const failed: string[] = [];

async function worker(): Promise<void> {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const began = performance.now();
    const { isPassed, output } = await run(check);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    process.stdout.write(`${isPassed ? "ok    " : "FAILED"} ${check.name} (${seconds} s)\n`);
    if (isPassed) continue;
    failed.push(check.name);
    process.stdout.write(indented(output));
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, worker));
if (failed.length > 0) {
  process.stdout.write(`check: ${failed.length} of ${checks.length} failed: ${failed.join(", ")}\n`);
  process.exitCode = 1;
}
