import type { ProcessView } from "@harness/protocol";
import { visibleText } from "@harness/protocol";
import { CliError } from "../../process/exit-codes.ts";
import { textTable } from "../../text/text-table.ts";
import type { LineContext } from "./line-context.ts";

/** Lists background processes, prints the output of one, stops one, or keeps it running after the session. */
export async function runProcessCommand({ mode, lines }: LineContext, args: string): Promise<void> {
  const { client } = mode;
  const { id: sessionId } = mode.session;
  if (sessionId === undefined) return lines.print("Nothing runs in the background: no session is open here.");
  const { processes: found } = await client.call("process/list", { sessionId });
  const words = args.split(/\s+/).filter(Boolean);
  const [processId, action] = words.length > 1 ? [words[1], words[0]] : [words[0], "show"];
  if (processId === undefined) {
    if (found.length === 0) return lines.print("Nothing runs in the background.");
    const header = ["ID", "STATE", "PORTS", "COMMAND", "LAST LINE"];
    return lines.print(textTable(header, found.map(row), process.stdout.columns));
  }
  const wanted = found.find((each) => each.processId === processId);
  if (words.length > 2 || !["show", "stop", "keep"].includes(action ?? ""))
    throw new CliError("usage", "Usage: /ps [ID | stop ID | keep ID]");
  if (!wanted) throw new CliError("usage", `There is no process ${processId}. /ps lists them.`);
  const named = { sessionId, processId };
  if (action === "show") {
    const { text, offset } = await client.call("process/read", named);
    const before = offset > 0 ? `… ${offset} bytes before\n` : "";
    return lines.print(text === "" ? "It has printed nothing." : `${before}${text.trimEnd()}`);
  }
  if (wanted.state !== "running") return lines.print(`${processId} is no longer running.`);
  if (action === "stop") {
    await client.call("process/stop", named);
    return lines.print(`${processId} was stopped.`);
  }
  const { process: kept } = await client.call("process/keep", { ...named, keep: !wanted.kept });
  lines.print(`${processId} ${kept.kept ? "goes on after the session" : "ends with the session"}.`);
}

function row({ processId, state, kept, ports, command, lastLine }: ProcessView): string[] {
  return [processId, `${state}${kept ? ", kept" : ""}`, ports.join(", "), visibleText(command), visibleText(lastLine)];
}
