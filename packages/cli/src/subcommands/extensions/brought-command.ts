import type { LocalServer } from "@harness/client";
import { visibleText } from "@harness/protocol";
import type { ProgramWords } from "../../command-line/program-words.ts";
import { REPLACEABLE } from "../../command-line/program-words.ts";
import { readStdin } from "../../headless/stdin-text.ts";
import { exitCodes } from "../../process/exit-codes.ts";
import { openInProcess } from "../../process/open-in-process.ts";
import { printNote } from "../../process/print-note.ts";
import { StopCause, stopOnSignals } from "../../process/stop-cause.ts";
import { terminalText } from "../../text/terminal-text.ts";

/**
 * Runs one of the user's own commands with the following words as arguments and our stdin. Its exit code becomes ours.
 * Undefined if there is none of this name.
 */
export async function runBroughtCommand(
  { name, args }: ProgramWords,
  startServer: (cwd: string) => Promise<LocalServer>,
): Promise<number | undefined> {
  const cwd = process.cwd();
  const server = await startServer(cwd);
  try {
    const client = await openInProcess(server, "harness-command", { onUpdate: () => undefined });
    const { entries } = await client.call("extensions/list", { cwd });
    const found = entries.findLast(
      (entry) => entry.kind === "command" && !/\.md$/i.test(entry.path) && wordOf(entry.name) === name.toLowerCase(),
    );
    if (!found) return undefined;
    if (found.problem !== undefined) printNote(`harness: ${visibleText(found.problem)}`);
    if (found.problem !== undefined || (REPLACEABLE.includes(name) && found.owner !== "person")) return undefined;
    const stop = new StopCause();
    stopOnSignals(stop, printNote);
    const input = await readStdin({ isExtra: true, warn: printNote });
    const order = { cwd, name: `program:${name}`, args: args.map(quoted).join(" "), input };
    const done = await stop.unlessStopped(client.call("command/run", order));
    if (!done) return exitCodes[stop.ending ?? "failed"].code;
    const { exitCode = 0, stdout = "", stderr = "", note } = done.value;
    pass(stdout, process.stdout);
    pass(stderr, process.stderr);
    if (note !== undefined) printNote(`harness: ${visibleText(note)}`);
    return exitCode;
  } finally {
    await server.shutdown();
  }
}

/** Passes output on unchanged; a terminal gets nothing that would harm it. */
function pass(text: string, stream: NodeJS.WriteStream): void {
  if (text !== "") stream.write(stream.isTTY ? terminalText(text) : text);
}

function wordOf(fileName: string): string {
  return fileName.replace(/(?<=.)\.[A-Za-z0-9]+$/, "").toLowerCase();
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
