import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { FLAVOURS, type Flavour } from "./flavours/flavour.ts";
import { startModelServer } from "./server.ts";
import type { ScenarioInput } from "./story/scenario.ts";

const usage = `Usage: npm run model -- SCENARIO.json [--flavour NAME] [--port NUMBER] [--cwd DIRECTORY] [--var NAME=VALUE]

Starts a scripted model on 127.0.0.1 and prints what to put before harness to talk to it.
  --flavour  ${FLAVOURS.join(" | ")} (default: openai)
  --port     default: a free one
  --cwd      the workspace: what \${cwd} stands for in the scenario (default: this directory)
  --var      another variable; may be given more than once
Examples: packages/testkit/src/model-server/scenarios/`;

class UsageError extends Error {}

async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  const [file] = positionals;
  if (values.help) return print(usage);
  if (file === undefined || positionals.length > 1) throw new UsageError("Name one scenario file.");
  const server = await startModelServer({
    scenario: await readScenarioFile(file),
    flavour: readFlavour(values.flavour),
    port: readPort(values.port),
    variables: { cwd: values.cwd ?? process.cwd(), ...readVariables(values.var ?? []) },
    log: print,
  });
  const environment = Object.entries(server.environment).map(([name, value]) => `${name}=${value}`);
  print(`Scripted model (${server.flavour}) at ${server.url}, playing ${file}. Ctrl+C ends it.`);
  print(`Use it with: ${environment.join(" ")} bin/harness`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void server.close());
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        flavour: { type: "string" },
        port: { type: "string" },
        cwd: { type: "string" },
        var: { type: "string", multiple: true },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function readScenarioFile(file: string): Promise<ScenarioInput> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    // The server validates it.
    return JSON.parse(text) as ScenarioInput;
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readFlavour(name: string | undefined): Flavour {
  const found = FLAVOURS.find((flavour) => flavour === (name ?? "openai"));
  if (found === undefined) throw new UsageError(`There is no flavour "${name}". There are ${FLAVOURS.join(", ")}.`);
  return found;
}

function readPort(text: string | undefined): number {
  const port = Number(text ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError(`"${text}" is not a port.`);
  return port;
}

function readVariables(list: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    list.map((entry) => {
      const at = entry.indexOf("=");
      if (at < 1) throw new UsageError(`"${entry}" is not NAME=VALUE.`);
      return [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  await main();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(error instanceof UsageError ? `${message}\n\n${usage}\n` : `${message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
