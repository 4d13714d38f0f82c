import { resolve } from "node:path";
import { byteSize, type ExportFormatName, exportEndings, exportFormats, ProtocolError } from "@harness/protocol";
import type { CommandLine } from "../../command-line/command-line.ts";
import { CliError } from "../../process/exit-codes.ts";
import { confirm } from "../confirm.ts";
import type { SubcommandContext, SubcommandHandler } from "../run-subcommand.ts";

/** `harness session export ID`: writes a session to a file, or to stdout with `-o -`. */
export const sessionExportSubcommand: SubcommandHandler = async (visit) => {
  const { client, line, cwd, say, note } = visit;
  const raw = line.has("raw");
  if (raw && !(await isConfirmed(visit))) throw new CliError("failed", "Nothing was written.");
  const { session } = await client.call("session/get", { sessionId: line.positionals[0] ?? "" });
  const { sessionId } = session;
  const output = line.value("output");
  const format = wantedFormat(line, output);
  if (output === "-") {
    const { text = "" } = await client.call("session/export", { sessionId, format, raw });
    say(text.trimEnd());
    return "done";
  }
  const path = resolve(cwd, output ?? `${sessionId}${exportEndings[format]}`);
  const replace = line.has("force");
  const { bytes, left } = await client
    .call("session/export", { sessionId, format, path, raw, replace })
    .catch((error) => {
      const isTaken = error instanceof ProtocolError && error.kind === "conflict" && error.message.endsWith("exists.");
      throw isTaken ? new CliError("usage", `${error.message} Name another file with -o, or add --force.`) : error;
    });
  for (const sentence of left?.split("\n") ?? []) note(`harness: ${sentence}`);
  say(line.has("json") ? JSON.stringify({ path, bytes, format, left }) : `Written to ${path} (${byteSize(bytes)}).`);
  return "done";
};

/** The format that was asked for, else the one of the file's ending: `talk.atif.json` is ATIF, `talk.json` is not. */
function wantedFormat(line: CommandLine, output: string | undefined): ExportFormatName {
  const named = exportFormats.find((format) => format === line.value("format"));
  if (named) return named;
  const fitting = exportFormats.filter((format) => output?.toLowerCase().endsWith(exportEndings[format]));
  return fitting.sort((one, other) => exportEndings[other].length - exportEndings[one].length)[0] ?? "md";
}

/** Whoever gets the file gets the secrets with it. */
async function isConfirmed({ stopping }: SubcommandContext): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new CliError("usage", "--raw writes secrets into the file, and asks first: it needs a terminal.");
  const question = "Keys and other secrets will be in the file. Export them? [y/N] ";
  return await confirm({ question, ...stopping });
}
