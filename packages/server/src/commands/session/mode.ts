import { modes } from "@harness/core";
import { AgentMode, agentModeOf } from "@harness/protocol";
import { misused, type ServerCommand, type SessionContext } from "../server-command.ts";

export const modeCommand: ServerCommand = {
  description: "Show or change the mode of the agent, which decides its tools.",
  argumentHint: `[${AgentMode.options.join("|")}]`,
  needsSession: true,
  run(context, args) {
    if (args === "") return modesText(context);
    const mode = agentModeOf(args);
    if (!mode)
      throw misused(`There is no mode ${JSON.stringify(args.slice(0, 50))}. Type /mode and one of ${modeNames()}.`);
    return enter(context, mode);
  },
};

/** The name to type for each mode. */
const shortcutOf: Readonly<Record<AgentMode, string>> = {
  planning: "plan",
  agent: "agent",
  research: "research",
  casual: "casual",
};

/** One command per mode, under its typed name. */
export const modeShortcuts: Readonly<Record<string, ServerCommand>> = Object.fromEntries(
  Object.entries(shortcutOf).map(([mode, name]) => [name, shortcut(mode as AgentMode)]),
);

function shortcut(mode: AgentMode): ServerCommand {
  return {
    description: `Switch to ${mode} mode: ${lowered(modes[mode].doc)}`,
    needsSession: true,
    run(context, args) {
      if (args === "") return enter(context, mode);
      const then = `Switch to ${mode} mode first, then say what you want.`;
      throw misused(`Nothing was changed: this command takes no arguments. ${then}`);
    },
  };
}

/** The choice applies to its session; the initial mode of others is a setting. */
function enter({ session }: SessionContext, mode: AgentMode): string {
  const before = session.mode;
  if (before !== mode) session.setConfig({ mode }, `The person switched to ${mode} mode.`);
  const name = `${mode.charAt(0).toUpperCase()}${mode.slice(1)} mode${before === mode ? ", as before" : ""}`;
  return `${name}: ${lowered(modes[mode].doc)}`;
}

function modesText({ session }: SessionContext): string {
  const rows = AgentMode.options.map((mode) => `${mode === session.mode ? "→" : " "} ${mode}: ${modes[mode].doc}`);
  return [`This session is in ${session.mode} mode.`, ...rows, `Change it with /mode and one of ${modeNames()}.`].join(
    "\n",
  );
}

function modeNames(): string {
  return AgentMode.options.join(", ");
}

function lowered(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}
