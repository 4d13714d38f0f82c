import type { AgentState } from "@harness/protocol";
import { CliError } from "../../process/exit-codes.ts";
import { textTable } from "../../text/text-table.ts";
import type { LinePlace } from "./line-place.ts";
import { runOnServer } from "./run-on-server.ts";

/** The subagents at work and the named agents; with words, what the server does with named agents. */
export async function agents(place: LinePlace, args: string): Promise<void> {
  if (args === "") {
    const running = await runningAgents(place);
    const rows = running.map(({ agentId, state, task = "" }) => [agentId, state, task]);
    place.lines.print(
      rows.length === 0
        ? "No subagent is running."
        : textTable(["AGENT", "STATE", "TASK"], rows, process.stdout.columns),
    );
  }
  await runOnServer(place, { name: "agents", args });
}

/** Stops subagents; with nothing to name, the turn. */
export async function stop(place: LinePlace, args: string): Promise<void> {
  const { mode, lines } = place;
  if (args === "") {
    if (!mode.isBusy) return lines.print("Nothing is running.");
    lines.print("Stopping…");
    return await mode.stop();
  }
  const running = await runningAgents(place);
  if (running.length === 0) return lines.print("No subagent is running. /stop alone stops the turn.");
  const named = args === "all" ? running : running.filter(({ agentId }) => agentId.startsWith(args));
  const names = running.map(({ agentId }) => agentId).join(", ");
  if (named.length === 0) throw new CliError("usage", `No running subagent is called ${args}. Running: ${names}.`);
  if (named.length > 1 && args !== "all")
    throw new CliError("usage", `Which one? ${named.map(({ agentId }) => agentId).join(", ")}.`);
  for (const { agentId } of named) await mode.session.cancel(agentId);
  lines.print(`Stopping ${named.map(({ agentId }) => agentId).join(", ")}.`);
}

async function runningAgents({ mode }: LinePlace): Promise<AgentState[]> {
  const session = await mode.stored();
  return [...(session?.running ?? [])].flatMap((agentId) => session?.agents.get(agentId) ?? []);
}
