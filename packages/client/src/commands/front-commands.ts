import { copyCommand } from "./copy.ts";
import { detachCommand } from "./detach.ts";
import { forkCommand } from "./fork.ts";
import type { Front, FrontKind } from "./front.ts";
import type { FrontCommand } from "./front-command.ts";
import { handoffCommand } from "./handoff.ts";
import { imageCommand } from "./image.ts";
import { doctorCommand, modelCommand } from "./model.ts";
import { permissionModeCommand } from "./permission-mode.ts";
import { statusCommand } from "./status.ts";
import { stopCommand } from "./stop.ts";
import { tasksCommand } from "./tasks.ts";
import { themeCommand } from "./theme.ts";
import { titleCommand } from "./title.ts";

/**
 * Every slash command of the fronts, in the order of help; the server adds its own (`commands/list`). A command that
 * takes more than one call has its own file.
 */
export const frontCommands: Readonly<Record<string, FrontCommand>> = {
  help: {
    words: "Show commands and keys",
    lines: { words: "These commands" },
    whileBusy: true,
    run: (front) => front.help(),
  },
  new: {
    aliases: ["clear"],
    words: "Start a new session; the old one stays in History",
    lines: { words: "Start a new session; the old one stays stored" },
    run: (front) => front.begin(),
  },
  fork: forkCommand,
  handoff: handoffCommand,
  model: modelCommand,
  doctor: doctorCommand,
  "permission-mode": permissionModeCommand,
  cost: {
    aliases: ["usage"],
    words: "Show tokens and cost of this session and of today",
    lines: { words: "Show tokens and cost: last turn, session and today" },
    whileBusy: true,
    run: (front) => front.usage(),
  },
  context: {
    words: "Show what fills the context window, and what could be dropped",
    hint: "[AGENT]",
    only: "window",
    run: (front, args) => front.context?.(args),
  },
  status: statusCommand,
  copy: copyCommand,
  find: {
    words: "Search the conversation, including folded parts",
    hint: "[WORDS]",
    lines: { words: "Print the lines of the conversation that hold these words, also of long output", hint: "WORDS" },
    whileBusy: true,
    run: (front, args) => front.find(args),
  },
  image: imageCommand,
  edit: {
    words: "Write the next message in your editor (setting editor, $VISUAL or $EDITOR)",
    hint: "[TEXT]",
    run: (front, args) => front.edit(args),
  },
  raw: {
    aliases: ["bare"],
    words: "Show the conversation unwrapped, for the terminal's own selection",
    lines: { words: "Nothing to do: plain lines are not wrapped" },
    whileBusy: true,
    run: (front) => front.bare(),
  },
  title: titleCommand,
  agents: {
    words: "Open, message or stop the agents of this session; create and edit named agents",
    lines: { words: "Subagents at work, and named agents: list, create, edit and remove them" },
    hint: "[list | show | new | edit | rm NAME]",
    whileBusy: true,
    run: (front, args) => (args === "" ? front.agents() : front.runOnServer("agents", args)),
  },
  stop: stopCommand,
  rewind: {
    words: "Rewind to before one of your messages: conversation, files, or both",
    hint: "[NUMBER] [both|conversation|files]",
    only: "window",
    run: (front, args) => (args === "" && front.rewind ? front.rewind() : front.runOnServer("rewind", args)),
  },
  tasks: tasksCommand,
  ps: {
    words: "Show background processes: their output, stop them, keep them after the session",
    lines: {
      words: "List background processes, show the output of one, stop it, or keep it after the session",
      hint: "[ID | stop ID | keep ID]",
    },
    whileBusy: true,
    run: (front, args) => front.processes(args),
  },
  trust: {
    words: "Show what this folder's own files would run or change, and trust them or not",
    run: (front) => front.trust(),
  },
  theme: themeCommand,
  keys: {
    aliases: ["keybindings", "hotkeys"],
    words: "Show the keys, and change them",
    lines: { words: "The keys of plain lines" },
    whileBusy: true,
    run: (front) => front.keys(),
  },
  settings: {
    aliases: ["config"],
    words: "Show and change settings",
    hint: "[WORDS]",
    lines: { words: "Show the settings, or change one; the value `default` resets it", hint: "[NAME [VALUE]]" },
    whileBusy: true,
    run: (front, args) => front.settings(args === "all" ? "" : args),
  },
  history: {
    aliases: ["resume", "sessions"],
    words: "Open, rename or delete stored sessions; or open one by its id",
    hint: "[SESSION]",
    lines: { words: "Choose a session of this folder and continue it", hint: "[NUMBER | ID]" },
    run: (front, args) => front.open(args),
  },
  detach: detachCommand,
  home: {
    words: "Go to Home; the session stays open",
    lines: { words: "In the window: go to Home" },
    whileBusy: true,
    run: (front) => front.home(),
  },
  quit: {
    aliases: ["exit"],
    words: "Quit; the session stays stored",
    lines: { words: "Leave; quit, exit and Ctrl+D do the same" },
    run: (front) => front.leave(),
  },
};

/** A command as one front has it. */
export type FrontCommandView = {
  readonly names: readonly [string, ...string[]];
  readonly hint?: string;
  readonly words: string;
};

/** The commands of a front, in the order of help. */
export function commandsOf(kind: FrontKind): FrontCommandView[] {
  const rows = Object.entries(frontCommands).filter(([, { only = kind }]) => only === kind);
  return rows.map(([name, { aliases = [], words, hint, lines }]) => ({
    names: [name, ...aliases],
    words,
    ...(hint === undefined ? {} : { hint }),
    ...(kind === "lines" ? lines : {}),
  }));
}

/** The row for a typed name in a front. */
export function frontCommand(kind: FrontKind, typed: string): FrontCommand | undefined {
  const found = Object.entries(frontCommands).find(
    ([name, { aliases = [], only = kind }]) => only === kind && (name === typed || aliases.includes(typed)),
  );
  return found?.[1];
}

/** Runs a command of the front. False: it has none with this name. */
export async function runFrontCommand(front: Front, { name, args }: { name: string; args: string }): Promise<boolean> {
  const row = frontCommand(front.kind, name);
  if (!row) return false;
  if (front.isBusy && !row.whileBusy)
    front.say(`A turn is running: /${name} can be run when it has ended, or after /stop.`, "warning");
  else await row.run(front, args.trim());
  return true;
}
