import { VERSION } from "@harness/protocol/version";
import type { WebDeps } from "@harness/web";
import type { CommandLine } from "../command-line/command-line.ts";
import { parseDurationMs } from "../command-line/durations.ts";
import { CliError } from "../process/exit-codes.ts";

export type ServeDeps = {
  stdio(options: { version: string }): Promise<number>;
  /** `problem`: why there can be no socket. */
  listening(options: {
    version: string;
    /** How long it stays without a client and without work. */
    restMs: number;
    onReady(at: { path: string; isOther: boolean }): void;
  }): Promise<number | { problem: string }>;
  web(options: WebDeps): Promise<void>;
};

const REST_MS = 60_000;

/** `harness serve`: the server alone, for one client on stdin and stdout, or for any number on a socket. */
export async function serve(line: CommandLine, { stdio, listening }: ServeDeps): Promise<number> {
  if (line.has("stdio") && line.has("listen")) return (await import("./bridge.ts")).bridge();
  if (line.has("stdio")) return stdio({ version: VERSION });
  if (!line.has("listen"))
    throw new CliError("usage", "Missing flag: harness serve --stdio, or harness serve --listen.");
  const ended = await listening({
    version: VERSION,
    restMs: restMs(line),
    onReady({ path, isOther }) {
      process.stdout.write(`${path}\n`);
      if (isOther) process.stderr.write("harness: a server listens there already; this one ends.\n");
    },
  });
  if (typeof ended === "number") return ended;
  throw new CliError("failed", ended.problem);
}

function restMs(line: CommandLine): number {
  const text = line.value("idle-timeout");
  if (text === undefined) return REST_MS;
  const ms = parseDurationMs(text);
  if (ms !== undefined) return ms;
  throw new CliError("usage", `--idle-timeout takes a time such as 90s, 10m or 2h, not "${text}".`);
}
