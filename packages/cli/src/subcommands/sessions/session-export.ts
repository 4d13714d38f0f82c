import { byteSize, type ExportFormatName, exportFormats, ProtocolError, wordList } from "@harness/protocol";
import type { CommandLine } from "../../command-line/command-line.ts";
import { CliError } from "../../process/exit-codes.ts";
import { exportTarget, exportToStdout, STDOUT } from "../../process/export-target.ts";
import { terminalText } from "../../text/terminal-text.ts";
import { confirm } from "../confirm.ts";
import type { SubcommandContext, SubcommandHandler } from "../run-subcommand.ts";

/** `harness session export ID`: writes a session to a file, or to stdout with `-o -`. */
export const sessionExportSubcommand: SubcommandHandler = async (visit) => {
  const { client, line, cwd, say, note } = visit;
  const raw = line.has("raw");
  const output = line.value("output");
  const target = output === undefined ? undefined : exportTarget("-o", output, cwd);
  const format = wantedFormat(line, output);
  if (target === STDOUT) refuseFlagsOfFiles(line, format);
  if (raw && !(await isConfirmed(visit))) throw new CliError("failed", "Nothing was written.");
  const { session } = await client.call("session/get", { sessionId: line.positionals[0] ?? "" });
  const { sessionId } = session;
  const tell = (left: string | undefined) => {
    for (const sentence of left?.split("\n") ?? []) note(`harness: ${sentence}`);
  };
  if (target === STDOUT) {
    const shown = (text: string) => (process.stdout.isTTY ? terminalText(text) : text);
    tell((await exportToStdout(client, { sessionId, format, raw }, shown)).left);
    return "done";
  }
  const path = target ?? exportTarget("-o", `${sessionId}${endings[format]}`, cwd);
  const replace = line.has("force");
  const { bytes, left } = await client
    .call("session/export", { sessionId, format, path, raw, replace })
    .catch((error) => {
      const isTaken = error instanceof ProtocolError && error.kind === "conflict" && error.message.endsWith("exists.");
      throw isTaken ? new CliError("usage", `${error.message} Name another file with -o, or add --force.`) : error;
    });
  tell(left);
  say(line.has("json") ? JSON.stringify({ path, bytes, format, left }) : `Written to ${path} (${byteSize(bytes)}).`);
  return "done";
};

const endings: Readonly<Record<ExportFormatName, string>> = {
  md: ".md",
  html: ".html",
  json: ".json",
  atif: ".atif.json",
  bundle: ".harness.gz",
};

/** The format that was asked for, else the one of the file's ending: `talk.atif.json` is ATIF, `talk.json` is not. */
function wantedFormat(line: CommandLine, output: string | undefined): ExportFormatName {
  const named = exportFormats.find((format) => format === line.value("format"));
  if (named) return named;
  if (output === undefined || output === STDOUT) return "md";
  const fitting = exportFormats.filter((format) => output.toLowerCase().endsWith(endings[format]));
  const [longest] = fitting.sort((one, other) => endings[other].length - endings[one].length);
  if (longest) return longest;
  const known = wordList(Object.values(endings), "or");
  throw new CliError("usage", `-o: ${output} does not end in ${known}. Add --format to say how it is written.`);
}

/** These describe or replace a file. */
function refuseFlagsOfFiles(line: CommandLine, format: ExportFormatName): void {
  const flag = (["json", "force"] as const).find((each) => line.has(each));
  if (flag) {
    const hint = flag === "json" ? " --format json writes the session as JSON." : "";
    throw new CliError("usage", `--${flag} is for an export to a file: leave it out with -o -.${hint}`);
  }
  if (format === "bundle" && process.stdout.isTTY)
    throw new CliError("usage", "A bundle is not a text: name a file with -o, or send stdout to one.");
}

/** Whoever gets the file gets the secrets with it. */
async function isConfirmed({ stopping }: SubcommandContext): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new CliError("usage", "--raw writes secrets into the file, and asks first: it needs a terminal.");
  const question = "Keys and other secrets will be in the file. Export them? [y/N] ";
  return await confirm({ question, ...stopping });
}
