import type { CommandRow } from "./command-row.ts";
import { copy } from "./copy.ts";
import { doctor } from "./doctor.ts";
import { model } from "./model.ts";
import { rewind } from "./rewind.ts";
import { stop } from "./stop.ts";
import { theme } from "./theme.ts";
import { title } from "./title.ts";

/**
 * Every slash command of the window, in the order help shows them; the server adds its own (`commands/list`). What takes
 * more than a call has a file of its own.
 */
export const windowCommands: Readonly<Record<string, CommandRow>> = {
  help: { description: "Commands and keys", run: ({ window }) => window.showHelp() },
  new: {
    aliases: ["clear"],
    description: "Start a new session; the old one stays in History",
    run: ({ controllers }) => controllers.session.begin(),
  },
  model,
  doctor,
  cost: {
    aliases: ["usage"],
    description: "Tokens and money: session and today",
    run: ({ window }) => window.showUsage(),
  },
  context: {
    description: "What fills the context window, and what could be dropped",
    argumentHint: "[AGENT]",
    run: ({ window }, args) => window.showContext(args.trim()),
  },
  copy,
  title,
  agents: {
    description: "The agents of this session: open, message or stop them; named agents: create and edit them",
    argumentHint: "[list | show | new | edit | rm NAME]",
    run: ({ controllers }, args) =>
      args.trim() === "" ? controllers.agents.open() : controllers.runOnServer("agents", args),
  },
  stop,
  rewind,
  ps: {
    description: "Processes in the background: their output, stop them, let them go on after the session",
    run: ({ controllers }) => controllers.processes.open(),
  },
  trust: {
    description: "What this folder would run, and whether it may",
    run: ({ controllers }) => controllers.trust.open(),
  },
  theme,
  settings: { description: "See and change settings", run: ({ window }) => window.show("settings") },
  history: {
    description: "Stored sessions: open, rename, delete",
    run: ({ window }) => window.show("history"),
  },
  quit: { description: "Leave; the session stays stored", run: ({ window }) => window.leave(0) },
};

/** The row that a typed name means. */
export function windowCommand(name: string): CommandRow | undefined {
  if (Object.hasOwn(windowCommands, name)) return windowCommands[name];
  return Object.values(windowCommands).find(({ aliases = [] }) => aliases.includes(name));
}
