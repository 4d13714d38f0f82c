import type { Session } from "@harness/client";
import { type LabelledText, MAX_IMAGES, type SessionView, TOO_MANY_IMAGES } from "@harness/client/actions";
import { type Front, type FrontImages, type FrontModels, type FrontText, lineWays } from "@harness/client/commands";
import {
  type AgentState,
  type CallParams,
  ROOT_AGENT,
  type ServerMethods,
  type SessionConfig,
  type TranscriptItem,
} from "@harness/protocol";
import { themeNames } from "@harness/protocol/choices";
import { VERSION } from "@harness/protocol/version";
import { closestName } from "../../command-line/closest-name.ts";
import { CliError } from "../../process/exit-codes.ts";
import { textTable } from "../../text/text-table.ts";
import { usageTable } from "../../text/usage-table.ts";
import { chooseSession } from "./choose-session.ts";
import type { LineContext } from "./line-context.ts";
import { testModel } from "./line-doctor.ts";
import { edit } from "./line-edit.ts";
import { printKeys } from "./line-keys.ts";
import { printModels, resetModel, useModel } from "./line-model.ts";
import { runProcessCommand } from "./line-processes.ts";
import { runSettingsCommand } from "./line-settings.ts";
import { find } from "./line-transcript.ts";
import { askTrust } from "./line-trust.ts";
import { runOnServer } from "./run-on-server.ts";

/** The front of plain lines: slash commands print and ask. */
export class LineFront implements Front {
  readonly kind = "lines";
  readonly #context: LineContext;
  readonly help: () => Promise<void>;

  constructor(context: LineContext, help: () => Promise<void>) {
    this.#context = context;
    this.help = help;
  }

  get server(): Front["server"] {
    return this.#context.mode.client;
  }

  get session(): Session {
    return this.#context.mode.session;
  }

  get isBusy(): boolean {
    return this.#context.mode.isBusy;
  }

  readonly say = (text: FrontText): void => this.#context.lines.print(typeof text === "string" ? text : text(lineWays));

  show(_title: string, [first = ["", ""], ...facts]: readonly LabelledText[]): void {
    this.say(textTable(first, facts, process.stdout.columns));
  }

  closest(typed: string, known: readonly string[]): readonly string[] {
    const name = closestName(typed, known);
    return name === undefined ? [] : [name];
  }

  get images(): FrontImages {
    const { mode, cwd } = this.#context;
    const add = async (source: CallParams<ServerMethods, "image/load">["source"]): Promise<void> => {
      if (mode.images.length >= MAX_IMAGES) throw new CliError("usage", TOO_MANY_IMAGES);
      const loaded = await mode.client.call("image/load", { source });
      mode.images = [...mode.images, loaded];
    };
    return {
      areShown: false,
      all: () => mode.images,
      add: (path) => add({ from: "file", path, cwd }),
      paste: () => add({ from: "clipboard" }),
      keep: (images) => {
        mode.images = images;
      },
    };
  }

  get models(): FrontModels {
    return {
      list: () => printModels(this.#context),
      use: (name) => useModel(this.#context, name),
      reset: () => resetModel(this.#context),
      test: (name) => testModel(this.#context, name),
    };
  }

  async view(): Promise<SessionView> {
    const { mode, cwd } = this.#context;
    const { id: sessionId, place } = mode.session;
    const [hud, stored] = await Promise.all([mode.client.call("hud/get", place), mode.stored()]);
    return {
      ...{ version: VERSION, cwd, sessionId, title: stored?.title, hud },
      permissionMode: hud.permissionMode ?? "default",
      agentMode: hud.mode,
      modeHint: "/permission-mode changes it.",
    };
  }

  async transcript(): Promise<readonly TranscriptItem[]> {
    return (await this.#context.mode.stored())?.agents.get(ROOT_AGENT)?.items ?? [];
  }

  async runningAgents(): Promise<readonly AgentState[]> {
    const stored = await this.#context.mode.stored();
    return [...(stored?.running ?? [])].flatMap((agentId) => stored?.agents.get(agentId) ?? []);
  }

  /** If the terminal has no clipboard, the text is printed. */
  copy(text: string): void {
    const { lines } = this.#context;
    this.say(lines.copy ? lines.copy(text) : `Plain output has no clipboard. The text:\n\n${text}\n`);
  }

  begin(follows?: string): void {
    this.#context.mode.begin(follows);
    this.say("Your next message starts a new session.");
  }

  async open(wanted: string, config?: SessionConfig): Promise<void> {
    await chooseSession(this.#context, wanted, config);
  }

  async rename(title: string): Promise<void> {
    await this.session.rename(title);
    this.say(`This session is now called: ${title}`);
  }

  draft(text: string): void {
    this.say(`Your message was, to send again or in other words:\n\n${text}\n`);
  }

  async usage(): Promise<void> {
    const found = await this.server.call("usage/get", { sessionId: this.session.id });
    this.say(usageTable(found, process.stdout.columns));
  }

  find(words: string): Promise<void> {
    return find(this, words);
  }

  edit(text: string): Promise<void> {
    return edit(this.#context, text);
  }

  /** Lists the running subagents, and then the named agents, in the server's order. */
  async agents(): Promise<void> {
    const rows = (await this.runningAgents()).map(({ agentId, state, task = "" }) => [agentId, state, task]);
    const table = () => textTable(["AGENT", "STATE", "TASK"], rows, process.stdout.columns);
    this.say(rows.length === 0 ? "No subagent is running." : table());
    await this.runOnServer("agents", "");
  }

  async stopTurn(): Promise<void> {
    if (!this.isBusy) return this.say("Nothing is running.");
    this.say("Stopping…");
    await this.#context.mode.stop();
  }

  processes(args: string): Promise<void> {
    return runProcessCommand(this.#context, args);
  }

  trust(): Promise<void> {
    return askTrust(this.#context);
  }

  chooseTheme(): void {
    const themes = themeNames.join(", ");
    this.say(`Usage: /theme NAME, for the window; plain lines have no colours. Themes: ${themes}.`);
  }

  bare(): void {
    this.say("Plain lines are not wrapped: the terminal's own selection copies them as they are.");
  }

  keys(): void {
    printKeys(this.#context);
  }

  settings(args: string): Promise<void> {
    return runSettingsCommand(this.#context, args);
  }

  home(): void {
    this.say("Plain lines have no Home: /history lists the sessions of this folder, /status says what holds here.");
  }

  /** The line reader handles a plain `/quit` itself; this is `/quit` followed by other words. */
  leave(): void {
    this.say("/quit stands alone; quit, exit and Ctrl+D leave, too.");
  }

  runOnServer(name: string, args: string): Promise<void> {
    return runOnServer(this.#context, { name, args });
  }
}
