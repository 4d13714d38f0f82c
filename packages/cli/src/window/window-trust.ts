import { CliError } from "../process/exit-codes.ts";
import type { SubcommandHandler } from "../subcommands/run-subcommand.ts";
import { trustedForRun, trustTable } from "../text/trust-text.ts";

/** `harness --trust`: lists the trusted content on stderr before the window opens, and passes its hash on. */
export function trustForWindow(onSeen: (hash: string) => void): SubcommandHandler {
  return async ({ client, cwd, note }) => {
    const view = await client.call("trust/get", { cwd });
    if (view.state === "nothing" || view.state === "trusted") return "done";
    // Runs the same checks as for a run; this server ends, and the window's server gets the hash.
    await client.call("trust/set", { cwd, hash: view.hash, decision: "session" }).catch((error: Error) => {
      throw new CliError("usage", error.message);
    });
    note(`harness: ${trustedForRun(view)}\n${trustTable(view, process.stderr.columns)}`);
    onSeen(view.hash);
    return "done";
  };
}
