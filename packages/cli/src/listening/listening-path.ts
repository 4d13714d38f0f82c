import { spawn } from "node:child_process";
import { CliError } from "../process/exit-codes.ts";

/** The longest that a server may take to listen. */
const START_MS = 15_000;

/** The socket of the server that listens for this person; starts it if there is none. Throws a `CliError`. */
export async function listeningPath(): Promise<string> {
  // This program itself, with the flags of Node that it has.
  const self = [...process.execArgv, process.argv[1] ?? "", "serve", "--listen"];
  const child = spawn(process.execPath, self, { stdio: ["ignore", "pipe", "pipe"], detached: true });
  let [said, problem] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    problem += text;
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, START_MS);
  child.stdout.on("data", () => said.includes("\n") && resolve());
  child.on("close", () => resolve()).on("error", () => resolve());
  await promise;
  clearTimeout(timer);
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  child.unref();
  const [path = ""] = said.split("\n");
  if (path !== "") return path;
  throw new CliError("failed", `No server listens, and none could be started. ${problem.trim()}`.trim());
}
