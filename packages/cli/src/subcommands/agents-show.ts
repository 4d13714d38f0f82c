import type { NamedAgentView } from "@harness/protocol";
import { CliError } from "../process/exit-codes.ts";
import type { SubcommandHandler } from "./run-subcommand.ts";

/** `harness agents show NAME`: a named agent with the content and location of its file. */
export const agentsShowSubcommand: SubcommandHandler = async ({ client, line, cwd, say, note }) => {
  const [name = ""] = line.positionals;
  const { agents, unused } = await client.call("agents/definitions", { cwd });
  const agent = agents.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (!agent) {
    for (const { problem } of unused) note(`harness: ${problem}`);
    const names = agents.map((each) => each.name).join(", ");
    const have = names === "" ? "None are defined for this folder." : `Available: ${names}.`;
    throw new CliError("session", `There is no agent "${name}". ${have}`);
  }
  for (const each of agent.notes) note(`harness: ${each}.`);
  say(line.has("json") ? JSON.stringify(agent) : agentRecord(agent));
  return "done";
};

function agentRecord({
  name,
  description,
  path,
  prompt,
  shadows,
  notes: _notes,
  owner: _owner,
  ...rest
}: NamedAgentView): string {
  const { tools, budget, ...others } = rest;
  const limits = Object.entries(budget ?? {}).map(([key, value]) => `${value} ${key}`);
  const lines = [
    ["name", name],
    ["description", description],
    ["file", path],
    ["instead of", shadows.join(", ")],
    ["tools", tools ? tools.join(", ") || "none" : "all"],
    ...Object.entries(others).map(([key, value]) => [key, String(value)]),
    ["limits", limits.join(", ")],
  ];
  const width = Math.max(...lines.map(([key = ""]) => key.length));
  const facts = lines.flatMap(([key = "", value]) => (value === "" ? [] : [`${key.padEnd(width)}  ${value}`]));
  return `${facts.join("\n")}\n\n${prompt}`;
}
