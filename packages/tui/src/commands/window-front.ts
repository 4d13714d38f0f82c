import type { Session } from "@harness/client";
import { factLines, type LabelledText, type SessionView } from "@harness/client/actions";
import type { Front, FrontImages, FrontModels, FrontText } from "@harness/client/commands";
import {
  type AgentState,
  conversationText,
  ROOT_AGENT,
  type SessionConfig,
  type TranscriptItem,
} from "@harness/protocol";
import { filterSettings } from "../screens/settings/state.ts";
import { runningAgents, shownAgent } from "../state/agents.ts";
import type { Note } from "../state/app-state.ts";
import { attachments } from "../state/attachments.ts";
import { withEdited, withTextBefore } from "../state/composer.ts";
import { modesInForce } from "../state/selectors.ts";
import { closestNames } from "../text/closest-names.ts";
import { sanitise } from "../text/sanitise.ts";
import type { CommandContext } from "./command-context.ts";
import { windowWords } from "./window-words.ts";

/** The front of the window: slash commands open its screens, overlays and sheets, and answer in notes. */
export class WindowFront implements Front {
  readonly kind = "window";
  /** Commands run next to the turn. */
  readonly isBusy = false;
  readonly #context: CommandContext;

  constructor(context: CommandContext) {
    this.#context = context;
  }

  get server(): Front["server"] {
    return this.#context.controllers.server;
  }

  get session(): Session {
    return this.#context.controllers.session.inView;
  }

  readonly say = (text: FrontText, severity: Note["severity"] = "info"): void =>
    this.#context.store.note(severity, typeof text === "string" ? text : (keys) => text(windowWords(keys)));

  show(title: string, facts: readonly LabelledText[]): void {
    this.#context.store.set({ overlay: { kind: "text", title, text: factLines(facts), scroll: 0 } });
  }

  closest(typed: string, known: readonly string[]): readonly string[] {
    return closestNames(typed, known);
  }

  get images(): FrontImages {
    const { store, controllers } = this.#context;
    return {
      areShown: true,
      all: () => attachments.of(store.get()).pictures,
      add: (path) => controllers.pictures.add(path),
      keep: (pictures) => attachments.change(store, { pictures }),
    };
  }

  get models(): FrontModels {
    const { models, doctor } = this.#context.controllers.overlays;
    return {
      list: () => models.open(),
      use: (name) => models.use(name),
      reset: () => models.reset(),
      test: (name) => doctor.run(name),
    };
  }

  async view(): Promise<SessionView> {
    const state = this.#context.store.get();
    const { permissionMode, mode: agentMode } = modesInForce(state);
    const modeHint = state.keymap.names.hint("chat.permissionMode", "changes it.");
    const reading = state.reading?.why === "elsewhere" ? state.reading.text : undefined;
    return { ...state, reading, sessionId: state.session?.sessionId, permissionMode, agentMode, modeHint };
  }

  async transcript(agent?: "main"): Promise<readonly TranscriptItem[]> {
    const state = this.#context.store.get();
    const shown = agent === "main" ? state.session?.agents.get(ROOT_AGENT) : shownAgent(state);
    return shown?.items ?? [];
  }

  async runningAgents(): Promise<readonly AgentState[]> {
    return runningAgents(this.#context.store.get().session);
  }

  copy(text: string): void {
    this.say(this.#context.window.copy(text));
  }

  async bare(): Promise<void> {
    const items = await this.transcript();
    if (items.length > 0) await this.#context.window.showText(sanitise(conversationText(items)));
    else this.say("There is nothing to show yet.");
  }

  help(): void {
    this.#context.window.showHelp();
  }

  begin(follows?: string): void {
    this.#context.controllers.session.begin(follows);
  }

  async open(wanted: string, config?: SessionConfig): Promise<void> {
    if (wanted === "") this.#context.window.show("history");
    else await this.#context.controllers.session.open(wanted, config);
  }

  draft(text: string): void {
    const { store } = this.#context;
    const { composer } = store.get();
    store.set({ composer: composer.buffer.isEmpty ? withEdited(composer, text) : withTextBefore(composer, text) });
  }

  rename(title: string): Promise<void> {
    return this.#context.controllers.session.rename(title);
  }

  usage(): Promise<void> {
    return this.#context.window.showUsage();
  }

  context(agent: string): Promise<void> {
    return this.#context.window.showContext(agent);
  }

  find(words: string): void {
    const { window, controllers } = this.#context;
    window.show("chat");
    controllers.find.open(words);
  }

  edit(text: string): void {
    this.#context.window.edit(text);
  }

  agents(): void {
    this.#context.controllers.overlays.agents.open();
  }

  rewind(): void {
    this.#context.controllers.overlays.rewind.open();
  }

  processes(): void {
    this.#context.controllers.overlays.processes.open();
  }

  trust(): Promise<void> {
    return this.#context.controllers.trust.open();
  }

  chooseTheme(): void {
    this.#context.controllers.overlays.themes.open();
  }

  keys(): void {
    this.#context.controllers.overlays.keys.open();
  }

  /** Opens Settings with the rows that contain these words. */
  settings(filter: string): void {
    const { store, window } = this.#context;
    filterSettings(store, filter);
    window.show("settings");
  }

  home(): void {
    this.#context.window.show("home");
  }

  leave({ goesOn } = { goesOn: false }): void {
    this.#context.store.set({ goesOn });
    this.#context.window.leave(0);
  }

  runOnServer(name: string, args: string): Promise<void> {
    return this.#context.controllers.runOnServer(name, args);
  }
}
