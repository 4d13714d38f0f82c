import { exitCodeInWords, markedText, shownName, signalInWords, type UpdateOf } from "@harness/protocol";

const MAX_COMMAND = 100;

/** A note for the model about a background process; undefined: it already knows, or nothing happened. */
export function processNote(update: UpdateOf<"process_update">): string | undefined {
  const { processId, command, matched, lastLines, note } = update;
  const line = shownName(command.replace(/\s+/g, " ").trim());
  const shown = line.length > MAX_COMMAND ? `${line.slice(0, MAX_COMMAND).toWellFormed()}…` : line;
  const name = `The background process ${processId} (\`${shown}\`)`;
  if (matched !== undefined) return `[${name} printed: ${markedText("its output", matched)}]`;
  const end = endText(update);
  if (end === undefined) return undefined;
  const last = lastLines ? ` Its last lines:\n${markedText("its output", lastLines)}\n` : "";
  return `[${name} ${end}.${last}${note ? ` ${note}` : ""}]`.replace("\n]", "]");
}

function endText({ state, stoppedBy, exitCode, signal }: UpdateOf<"process_update">): string | undefined {
  if (state === "running" || stoppedBy === "agent") return undefined;
  if (state === "interrupted") return "was ended, because harness was killed";
  if (stoppedBy === "person") return "was stopped by the person";
  if (stoppedBy === "session") return "ended when the session was closed";
  if (signal !== undefined) return `was killed by ${signalInWords(signal)}`;
  return exitCode === undefined ? "has ended" : `ended with exit code ${exitCodeInWords(exitCode)}`;
}
