import { join } from "node:path";
import { VERSION } from "@harness/protocol/version";
import type { WebDeps } from "@harness/web";
import type { CommandLine } from "../command-line/command-line.ts";
import { CliError, exitCodes } from "../process/exit-codes.ts";
import { listeningPath } from "./listening-path.ts";
import type { ServeDeps } from "./serve.ts";

const MAX_PORT = 65_535;

/** `harness web`: a page for browsers, until Ctrl+C. Sessions belong to a server that goes on without it. */
export async function web(line: CommandLine, serveWeb: ServeDeps["web"]): Promise<number> {
  const ended = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => ended.abort());
  const sharing = sharingOf(line);
  const isSource = import.meta.filename.endsWith(".ts");
  try {
    await serveWeb({
      version: VERSION,
      cwd: process.cwd(),
      port: portOf(line),
      sharing,
      pageFolder: isSource ? join(import.meta.dirname, "../../../../dist") : import.meta.dirname,
      startServer: listeningPath,
      onLink(link, { isFirst }) {
        process.stderr.write(
          isFirst
            ? `harness: open this link in a browser${sharing ? "" : " of this machine"}. It works once. Ctrl+C ends the page; sessions go on.\n`
            : "harness: a browser has opened the page. The next link:\n",
        );
        process.stdout.write(`${link}\n`);
      },
      signal: ended.signal,
    });
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(
      "failed",
      `The page cannot be served: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return exitCodes.done.code;
}

function portOf(line: CommandLine): number {
  const text = line.value("port");
  if (text === undefined) return 0;
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= MAX_PORT) return port;
  throw new CliError("usage", `--port takes a number from 1 to ${MAX_PORT}, not "${text}".`);
}

function sharingOf(line: CommandLine): WebDeps["sharing"] {
  const [cert, key] = [line.value("tls-cert"), line.value("tls-key")];
  const isAlone = !line.has("lan");
  if (isAlone && (cert !== undefined || key !== undefined || line.has("plain")))
    throw new CliError("usage", "--tls-cert, --tls-key and --plain need --lan.");
  if (isAlone) return undefined;
  if (cert !== undefined && key !== undefined) return { cert, key };
  if (cert === undefined && key === undefined && line.has("plain")) return "plain";
  throw new CliError(
    "usage",
    "--lan needs a certificate: --tls-cert FILE --tls-key FILE. Without encryption, where you trust everyone in the network: --plain.",
  );
}
