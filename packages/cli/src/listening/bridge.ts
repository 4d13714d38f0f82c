import { spawn } from "node:child_process";
import { connect } from "node:net";
import { CliError, exitCodes } from "../process/exit-codes.ts";

/** The longest that a server may take to listen. */
const START_MS = 15_000;

/**
 * `harness serve --stdio --listen`: leads stdin and stdout to the server that listens for this person, which is started
 * if there is none. It goes on when they are cut.
 */
export async function bridge(): Promise<number> {
  const socket = connect(await listeningPath());
  process.stdin.pipe(socket);
  socket.pipe(process.stdout);
  return await new Promise((done) => {
    // The server's last words reach stdout before this ends.
    socket.on("error", () => done(exitCodes.failed.code)).on("close", () => done(exitCodes.done.code));
    process.stdout.on("error", () => socket.destroy());
  });
}

/** Starts a server that prints its path, or that of the one that listens already. */
async function listeningPath(): Promise<string> {
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
