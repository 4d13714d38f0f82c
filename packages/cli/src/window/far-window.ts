import { posix } from "node:path";
import { farServer, type ServerConnection, serverConnector, type WindowRequest } from "@harness/client";
import { VERSION } from "@harness/protocol/version";
import type { CommandLine } from "../command-line/command-line.ts";
import type { FlagName } from "../command-line/flags.ts";
import { CliError } from "../process/exit-codes.ts";
import { printNote } from "../process/print-note.ts";
import { windowRequest } from "./window-request.ts";

/** Flags about files, the environment or the trust of this machine, which has no part in the work. */
const LOCAL: readonly FlagName[] = [
  ...(["add-dir", "mcp-config", "strict-mcp-config", "local-only", "url", "trust", "in-worktree"] as const),
];

/** `harness --connect COMMAND`: the window here, with the server, the folder and the settings there. */
export async function openFarWindow(
  line: CommandLine,
  { inline, runWindow }: { inline: boolean; runWindow(request: WindowRequest): Promise<number> },
): Promise<number> {
  const command = line.value("connect")?.trim() ?? "";
  if (command === "")
    throw new CliError("usage", "--connect needs a command, such as 'ssh HOST harness serve --stdio'.");
  const flag = LOCAL.find((name) => line.has(name));
  if (flag !== undefined)
    throw new CliError("usage", `--connect and --${flag} cannot be combined: set that up where the server is.`);
  const here = { ...line, value: (name: FlagName) => (name === "cd" ? undefined : line.value(name)) };
  const request = windowRequest(here, { inline });
  const server = { command: "/bin/sh", args: ["-c", command] };
  const reach = (how: WindowRequest["server"]) =>
    serverConnector("window", { server: how, cwd: request.cwd, version: VERSION }, process.env);
  const far = await farServer(reach({ ...server, sharesTerminal: true }), reach(server)).catch((error: Error) => {
    throw new CliError("failed", `No server was reached by ${command}: ${error.message}`);
  });
  try {
    const cwd = await folderThere(far, line.value("cd"));
    sayVersion(far.server);
    return await runWindow({ ...request, cwd, far: far.connect });
  } finally {
    await far.close();
  }
}

async function folderThere({ server }: Pick<ServerConnection, "server">, named: string | undefined): Promise<string> {
  const { cwd } = server?.serverInfo ?? {};
  if (cwd !== undefined) return posix.resolve(cwd, named ?? "");
  if (named?.startsWith("/")) return named;
  throw new CliError(
    "usage",
    "The server does not say where it works, as it is older: name a folder there with --cd /DIR.",
  );
}

function sayVersion(server: ServerConnection["server"]): void {
  const version = server?.serverInfo.version;
  if (version !== undefined && version !== VERSION)
    printNote(`harness: the server there is of version ${version}, this window of ${VERSION}.`);
}
