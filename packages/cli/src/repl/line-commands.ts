import { permissionModes } from "@harness/protocol/choices";
import { closestName } from "../command-line/closest-name.ts";
import { readSlashCommand } from "../headless/slash-command.ts";
import { CliError } from "../process/exit-codes.ts";
import { textTable } from "../text/text-table.ts";
import { usageTable } from "../text/usage-table.ts";
import { visibleText } from "../text/visible-text.ts";
import { chooseSession } from "./choose-session.ts";
import { type LineCommand, type LinePlace, needArgument } from "./line-place.ts";
import { PROCESSES_USAGE, processes } from "./line-processes.ts";
import { askTrust } from "./line-trust.ts";

/** The slash commands of the line mode; the server has the others. */
const lineCommands: Readonly<Record<string, LineCommand>> = {
  help: { usage: "/help", doc: "These commands", run: help },
  new: {
    aliases: ["clear"],
    usage: "/new",
    doc: "Start a new session; the old one stays stored",
    async run({ mode, lines }) {
      mode.begin();
      lines.print("Your next message starts a new session.");
    },
  },
  sessions: {
    aliases: ["resume", "history"],
    usage: "/sessions [NUMBER | ID]",
    doc: "Choose a session of this folder and continue it",
    run: async (place, args) => void (await chooseSession(place, args)),
  },
  model: { usage: "/model [MODEL]", doc: "List the models, or choose one for this and later sessions", run: model },
  "permission-mode": {
    usage: "/permission-mode MODE",
    doc: `Set the permission mode: ${permissionModes.join(", ")}`,
    async run({ mode }, args) {
      const permissionMode = permissionModes.find((each) => each === needArgument(args, "/permission-mode MODE"));
      if (!permissionMode) throw new CliError("usage", `Usage: /permission-mode ${permissionModes.join("|")}`);
      await mode.client.call("session/set_config_option", { sessionId: await mode.need(), config: { permissionMode } });
    },
  },
  settings: {
    aliases: ["config"],
    usage: "/settings [NAME [VALUE]]",
    doc: "Show the settings, or change one; the value `default` resets it",
    run: settings,
  },
  title: {
    usage: "/title TITLE",
    doc: "Name this session",
    async run({ mode, lines }, args) {
      const title = needArgument(args, "/title TITLE");
      await mode.client.call("session/set_title", { sessionId: await mode.need(), title });
      lines.print(`This session is now called: ${title}`);
    },
  },
  cost: {
    aliases: ["usage"],
    usage: "/cost",
    doc: "Tokens and money: last turn, session and today",
    async run({ mode: { client, sessionId }, lines }) {
      const found = await client.call("usage/get", sessionId === undefined ? {} : { sessionId });
      lines.print(usageTable(found, process.stdout.columns));
    },
  },
  ps: {
    usage: PROCESSES_USAGE,
    doc: "Processes in the background: list them, show the output of one, stop it, or let it go on after the session",
    run: processes,
  },
  trust: {
    usage: "/trust",
    doc: "Show what this folder would run, and trust it or not",
    run: (place) => askTrust(place),
  },
  stop: {
    usage: "/stop",
    doc: "Stop the running turn, as Ctrl+C does",
    run: async ({ lines }) => lines.print("Nothing is running."),
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
  const own = Object.entries(lineCommands).find(
    ([name, { aliases = [] }]) => name === command.name || aliases.includes(command.name),
  );
  if (own) await own[1].run(place, command.args.trim());
  else await runOnServer(place, command);
  return true;
}

async function runOnServer(
  { mode, lines, cwd }: LinePlace,
  { name, args }: { name: string; args: string },
): Promise<void> {
  const { client, sessionId } = mode;
  const where = sessionId === undefined ? { cwd } : { sessionId };
  const { commands, unused } = await client.call("commands/list", { ...where, name });
  const found = commands.find((each) => each.name.toLowerCase() === name);
  if (!found) {
    const why = unused.find((each) => each.name.toLowerCase() === name)?.problem;
    const meant = closestName(name, [...Object.keys(lineCommands), ...commands.map((each) => each.name)]);
    throw new CliError(
      "usage",
      why ?? `There is no command /${name}. ${meant ? `Did you mean /${meant}?` : "/help lists them."}`,
    );
  }
  const needsSession = found.needsSession || found.startsTurn;
  const target = needsSession || sessionId !== undefined ? { sessionId: await mode.need() } : { cwd };
  await mode.turn(async () => {
    const { text, turnId } = await client.call("command/run", { ...target, name, args });
    if (text !== "") lines.print(text);
    return turnId !== undefined;
  });
}

async function help({ mode, lines, cwd }: LinePlace): Promise<void> {
  const { sessionId } = mode;
  const { commands } = await mode.client.call("commands/list", sessionId === undefined ? { cwd } : { sessionId });
  const own = Object.values(lineCommands).map(({ usage, doc }) => [usage, doc]);
  const names = new Set(Object.keys(lineCommands));
  const others = commands
    .filter(({ name }) => !names.has(name))
    .map(({ name, argumentHint, description }) => [`/${name}${argumentHint ? ` ${argumentHint}` : ""}`, description]);
  lines.print(
    `${textTable(["COMMAND", "WHAT IT DOES"], [...own, ...others], process.stdout.columns)}\n!COMMAND runs a command; the agent sees it and its output. !!COMMAND runs it for you alone.`,
  );
}

async function model({ mode, lines }: LinePlace, wanted: string): Promise<void> {
  const { models, problems } = await mode.client.call("models/list", {});
  const names = models.map((each) => `${each.provider}/${each.model}`);
  if (wanted === "") {
    for (const problem of problems) lines.print(problem);
    lines.print(
      names.length === 0
        ? "No model is ready. harness providers shows what is missing."
        : names.map(visibleText).join("\n"),
    );
    return;
  }
  const found = models.find((each) => [each.model, `${each.provider}/${each.model}`].includes(wanted));
  if (!found) {
    const meant = closestName(wanted, names);
    throw new CliError(
      "usage",
      `There is no model ${wanted}.${meant ? ` Did you mean ${meant}?` : " /model lists them."}`,
    );
  }
  const config = { provider: found.provider, model: found.model };
  await mode.client.call("settings/set", {
    edits: [
      { key: "provider", value: config.provider },
      { key: "model", value: config.model },
    ],
  });
  if (mode.sessionId !== undefined)
    await mode.client.call("session/set_config_option", { sessionId: mode.sessionId, config });
  lines.print(`The model is now ${found.provider}/${found.model}.`);
}

async function settings({ mode, lines, cwd }: LinePlace, args: string): Promise<void> {
  const [key = "", ...rest] = args.split(/\s+/);
  const { settings: views } = await mode.client.call("settings/get", { cwd });
  const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value ?? null));
  if (key === "")
    return lines.print(
      textTable(
        ["SETTING", "VALUE", "FROM"],
        views.map((each) => [each.key, shown(each.value), each.source]),
        process.stdout.columns,
      ),
    );
  const view = views.find((each) => each.key === key);
  if (!view) {
    const meant = closestName(
      key,
      views.map((each) => each.key),
    );
    throw new CliError(
      "usage",
      `There is no setting ${key}.${meant ? ` Did you mean ${meant}?` : " /settings lists them."}`,
    );
  }
  const typed = rest.join(" ");
  if (typed === "") return lines.print(`${key} is ${shown(view.value)} (${view.source}). ${view.doc}`);
  await mode.client.call("settings/set", {
    edits: [{ key, value: typed === "default" ? null : typedValue(view.type, typed) }],
  });
  lines.print(`${key} is now ${typed}.`);
}

/** A value as it is typed; the server says what is wrong with it. */
function typedValue(type: string, typed: string): unknown {
  if (type === "number") return Number(typed);
  if (type === "boolean")
    return typed === "true" || typed === "on" ? true : typed === "false" || typed === "off" ? false : typed;
  return type === "list" ? typed.split(",").map((each) => each.trim()) : typed;
}
