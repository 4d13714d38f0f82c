import { modeSentence } from "@harness/client/actions";
import { permissionModes } from "@harness/protocol/choices";
import { readSlashCommand } from "../../headless/slash-command.ts";
import { CliError } from "../../process/exit-codes.ts";
import { textTable } from "../../text/text-table.ts";
import { usageTable } from "../../text/usage-table.ts";
import { chooseSession } from "./choose-session.ts";
import { agents, stop } from "./line-agents.ts";
import { doctor } from "./line-doctor.ts";
import { edit } from "./line-edit.ts";
import { keys, status, theme } from "./line-here.ts";
import { IMAGE_USAGE, image } from "./line-images.ts";
import { model } from "./line-model.ts";
import { type LineCommand, type LinePlace, needArgument } from "./line-place.ts";
import { PROCESSES_USAGE, processes } from "./line-processes.ts";
import { settings } from "./line-settings.ts";
import { copy, find } from "./line-transcript.ts";
import { askTrust } from "./line-trust.ts";
import { runOnServer } from "./run-on-server.ts";

/** The slash commands of the line mode; the server has the others. */
export const lineCommands: Readonly<Record<string, LineCommand>> = {
  help: { whileBusy: true, usage: "/help", doc: "These commands", run: help },
  new: {
    aliases: ["clear"],
    usage: "/new",
    doc: "Start a new session; the old one stays stored",
    async run({ mode, lines }) {
      mode.begin();
      lines.print("Your next message starts a new session.");
    },
  },
  history: {
    aliases: ["resume", "sessions"],
    usage: "/history [NUMBER | ID]",
    doc: "Choose a session of this folder and continue it",
    run: async (place, args) => void (await chooseSession(place, args)),
  },
  model: {
    usage: "/model [MODEL | list | reset]",
    doc: "List the models, choose one for this and later sessions, or remove the choice",
    run: model,
  },
  doctor: { usage: "/doctor [MODEL]", doc: "Test what the model can do", run: doctor },
  "permission-mode": {
    whileBusy: true,
    usage: "/permission-mode MODE",
    doc: `Set the permission mode: ${permissionModes.join(", ")}`,
    async run({ mode, lines }, args) {
      const permissionMode = permissionModes.find((each) => each === needArgument(args, "/permission-mode MODE"));
      if (!permissionMode) throw new CliError("usage", `Usage: /permission-mode ${permissionModes.join("|")}`);
      await mode.session.configure({ permissionMode });
      lines.print(modeSentence({ permissionMode }));
    },
  },
  settings: {
    aliases: ["config"],
    whileBusy: true,
    usage: "/settings [NAME [VALUE]]",
    doc: "Show the settings, or change one; the value `default` resets it",
    run: settings,
  },
  title: {
    aliases: ["rename"],
    whileBusy: true,
    usage: "/title TITLE",
    doc: "Name this session",
    async run({ mode, lines }, args) {
      const title = needArgument(args, "/title TITLE");
      await mode.session.rename(title);
      lines.print(`This session is now called: ${title}`);
    },
  },
  status: {
    aliases: ["session"],
    whileBusy: true,
    usage: "/status",
    doc: "This session: model, context window, permissions, folder, changes",
    run: status,
  },
  cost: {
    aliases: ["usage"],
    whileBusy: true,
    usage: "/cost",
    doc: "Show tokens and cost: last turn, session and today",
    async run({ mode: { client, session }, lines }) {
      const found = await client.call("usage/get", { sessionId: session.id });
      lines.print(usageTable(found, process.stdout.columns));
    },
  },
  copy: {
    whileBusy: true,
    usage: "/copy [N | code | all]",
    doc: "Copy the last answer, an earlier one, its code, or the whole conversation; print it where there is no clipboard",
    run: copy,
  },
  find: {
    whileBusy: true,
    usage: "/find WORDS",
    doc: "Print the lines of the conversation that hold these words, also of long output",
    run: find,
  },
  image: {
    whileBusy: true,
    usage: IMAGE_USAGE,
    doc: "Add an image to the next message, list its images, or remove them",
    run: image,
  },
  edit: {
    usage: "/edit [TEXT]",
    doc: "Write the next message in your editor (setting editor, $VISUAL or $EDITOR)",
    run: edit,
  },
  agents: {
    whileBusy: true,
    usage: "/agents [list | show | new | edit | rm NAME]",
    doc: "Subagents at work, and named agents: list, create, edit and remove them",
    run: agents,
  },
  stop: {
    whileBusy: true,
    usage: "/stop [AGENT | all]",
    doc: "Stop the turn, as Ctrl+C does; or a subagent by the first letters of its id, or all",
    run: stop,
  },
  ps: {
    whileBusy: true,
    usage: PROCESSES_USAGE,
    doc: "List background processes, show the output of one, stop it, or keep it after the session",
    run: processes,
  },
  trust: {
    usage: "/trust",
    doc: "Show what this folder's own files would run or change, and trust them or not",
    run: (place) => askTrust(place),
  },
  theme: { whileBusy: true, usage: "/theme [NAME]", doc: "Change the colours of the window", run: theme },
  keys: {
    aliases: ["keybindings", "hotkeys"],
    whileBusy: true,
    usage: "/keys",
    doc: "The keys of plain lines",
    run: keys,
  },
  home: {
    whileBusy: true,
    usage: "/home",
    doc: "In the window: go to Home",
    run: async ({ lines }) =>
      lines.print(
        "Plain lines have no Home: /history lists the sessions of this folder, /status says what holds here.",
      ),
  },
  quit: {
    aliases: ["exit"],
    usage: "/quit",
    doc: "Leave; quit, exit and Ctrl+D do the same",
    run: async () => undefined,
  },
};

/** Carries out a slash command, the server's there; false for a message. */
export async function runLineCommand(place: LinePlace, text: string): Promise<boolean> {
  const command = readSlashCommand(text);
  if (!command) return false;
  const { name } = command;
  const args = command.args.trim();
  const own = Object.entries(lineCommands).find(([each, { aliases = [] }]) => each === name || aliases.includes(name));
  if (!own) await runOnServer(place, { name, args: command.args }, Object.keys(lineCommands));
  else if (!place.mode.isBusy || own[1].whileBusy) await own[1].run(place, args);
  else throw new CliError("usage", `A turn is running: /${name} can be run when it has ended, or after /stop.`);
  return true;
}

async function help({ mode, lines }: LinePlace): Promise<void> {
  const { commands } = await mode.client.call("commands/list", mode.session.place);
  const own = Object.values(lineCommands).map((row) => [usageOf(row), row.doc]);
  const names = new Set(Object.keys(lineCommands));
  const others = commands
    .filter(({ name }) => !names.has(name))
    .map(({ name, argumentHint, description }) => [`/${name}${argumentHint ? ` ${argumentHint}` : ""}`, description]);
  lines.print(
    `${textTable(["COMMAND", "WHAT IT DOES"], [...own, ...others], process.stdout.columns)}\n!COMMAND runs a command; the agent sees it and its output. !!COMMAND runs it for you alone.\n\\ at the end of a line goes on with the message in the next one.`,
  );
}

/** `/new, /clear`, and what may follow. */
function usageOf({ usage, aliases = [] }: LineCommand): string {
  const [name = "", ...rest] = usage.split(" ");
  return [[name, ...aliases.map((each) => `/${each}`)].join(", "), ...rest].join(" ");
}
