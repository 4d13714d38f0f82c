import type { CommandRow } from "./command-row.ts";
import { copy } from "./copy.ts";
import { doctor } from "./doctor.ts";
import { edit } from "./edit.ts";
import { image } from "./image.ts";
import { model } from "./model.ts";
import { rewind } from "./rewind.ts";
import { settings } from "./settings.ts";
import { status } from "./status.ts";
import { stop } from "./stop.ts";
import { theme } from "./theme.ts";
import { title } from "./title.ts";

/**
 * Every slash command of the window, in the order help shows them; the server adds its own (`commands/list`). A command
 * that takes more than a call has its own file.
 */
export const windowCommands: Readonly<Record<string, CommandRow>> = {
  help: { description: "Show commands and keys", run: ({ window }) => window.showHelp() },
  new: {
    aliases: ["clear"],
    description: "Start a new session; the old one stays in History",
    run: ({ controllers }) => controllers.session.begin(),
  },
  model,
  doctor,
  cost: {
    aliases: ["usage"],
    description: "Show tokens and cost of this session and of today",
    run: ({ window }) => window.showUsage(),
  },
  context: {
    description: "Show what fills the context window, and what could be dropped",
    argumentHint: "[AGENT]",
    run: ({ window }, args) => window.showContext(args.trim()),
  },
  status,
  copy,
  find: {
    description: "Search the conversation, including folded parts",
    argumentHint: "[WORDS]",
    run: ({ controllers, window }, args) => {
      window.show("chat");
      controllers.find.open(args.trim());
    },
  },
  image,
  edit,
  title,
  agents: {
    description: "Open, message or stop the agents of this session; create and edit named agents",
    argumentHint: "[list | show | new | edit | rm NAME]",
    run: ({ controllers }, args) =>
      args.trim() === "" ? controllers.overlays.agents.open() : controllers.runOnServer("agents", args),
  },
  stop,
  rewind,
  ps: {
    description: "Show background processes: their output, stop them, keep them after the session",
    run: ({ controllers }) => controllers.overlays.processes.open(),
  },
  trust: {
    description: "Show what this folder's own files would run or change, and trust them or not",
    run: ({ controllers }) => controllers.trust.open(),
  },
  theme,
  keys: {
    aliases: ["keybindings", "hotkeys"],
    description: "Show the keys, and change them",
    run: ({ controllers }) => controllers.overlays.keys.open(),
  },
  settings,
  history: {
    aliases: ["resume", "sessions"],
    description: "Open, rename or delete stored sessions; or open one by its id",
    argumentHint: "[SESSION]",
    run: async ({ window, controllers }, args) => {
      if (args.trim() === "") window.show("history");
      else await controllers.session.open(args.trim());
    },
  },
  home: { description: "Go to Home; the session stays open", run: ({ window }) => window.show("home") },
  quit: {
    aliases: ["exit"],
    description: "Quit; the session stays stored",
    run: ({ window }) => window.leave(0),
  },
};

/** The row that a typed name means. */
export function windowCommand(name: string): CommandRow | undefined {
  if (Object.hasOwn(windowCommands, name)) return windowCommands[name];
  return Object.values(windowCommands).find(({ aliases = [] }) => aliases.includes(name));
}
