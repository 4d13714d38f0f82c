import type { NoticeListeners } from "@harness/client";
import { commandList } from "../commands/command-list.ts";
import type { CommandContext } from "../commands/command-row.ts";
import { commandRunner } from "../commands/command-runner.ts";
import { CompletionController } from "../composer/completion.ts";
import { ComposerScope } from "../composer/composer-scope.ts";
import type { KeyEvent } from "../input/index.ts";
import { takenBy } from "../keymap/scope.ts";
import { showContext } from "../overlays/context/show-context.ts";
import { sheetScope } from "../overlays/sheets/sheet-keys.ts";
import { showUsage } from "../overlays/sheets/show-usage.ts";
import { loadCommands, loadProviders } from "../session/server-catalog.ts";
import { type ControllerParts, type Controllers, createControllers } from "./controllers.ts";
import { conversation } from "./conversation.ts";
import { helpTables } from "./docs.ts";
import { Keyboard } from "./keyboard.ts";
import { Navigation } from "./navigation.ts";
import { combined } from "./notice-listeners.ts";
import { openRequested } from "./open-requested.ts";
import type { Transcript } from "./transcript-scope.ts";

export type WindowControllerParts = ControllerParts & {
  transcript: Transcript;
  window: {
    /** A key for components that read keys by themselves. */
    typeInto(key: KeyEvent): void;
    leave(code: number): void;
    suspend(): void;
    redraw(): void;
    /** Puts a text into the clipboard; what was copied, as a sentence. */
    copy(text: string): string;
  };
};

export type WindowController = {
  readonly keyboard: Keyboard;
  /** Starts the server and opens what was asked for. */
  start(): void;
  close(): Promise<void>;
};

/** Everything the window can do, wired: the only callers of the server. */
export function createWindowController(parts: WindowControllerParts): WindowController {
  const notices: NoticeListeners = {};
  const controllers = createControllers(parts, notices, () => {
    refreshScreens();
    navigation.current?.load?.();
    void loadCommands(host);
    window.changed();
  });
  const { host, server, session, trust, models, rewind, processes, agents, messages, doctor } = controllers;
  const { store } = host;
  const window = {
    ...parts.window,
    redraw(): void {
      server.retry();
      parts.window.redraw();
    },
    show: (screen: string): void => navigation.show(screen),
    back: (): void => navigation.back(),
    changed(): void {
      void loadProviders(host);
      void session.refreshHud();
    },
  };
  const composer = createComposer(controllers, window);
  const keyParts = { ...parts, ...controllers, composer, window };
  const input = { dialogs: controllers.dialogs, composer };
  const screenHost = { ...host, session, window: { ...window, conversation: conversation({ ...keyParts, input }) } };
  const navigation: Navigation = new Navigation(store, screenHost);
  const own: NoticeListeners = {
    "hud/update": ({ sessionId, hud }) => {
      if (sessionId === session.sessionId) store.set({ hud });
    },
    "models/probe": (probe) => doctor.take(probe),
  };
  Object.assign(notices, combined([own, ...navigation.all.map((screen) => screen.notices ?? {})]));
  const overlays = [models.take, rewind.take, processes.take, agents.take, sheetScope(store)];

  return {
    keyboard: new Keyboard(keyParts, [
      trust.take,
      (event) => !store.get().trust && takenBy(overlays, event),
      (event) => navigation.current?.take(event) ?? false,
    ]),
    start() {
      void server.start();
      void trust.check();
      navigation.current?.load?.();
      void loadCommands(host);
      void trust.decided().then(refreshScreens);
      void openRequested(host, session, messages);
    },
    close: () => server.close(),
  };

  function refreshScreens(): void {
    for (const screen of navigation.all) screen.refresh?.();
  }
}

/** At once with the commands that are known, then with what the server has found. */
async function showHelp(host: Controllers["host"]): Promise<void> {
  const { store } = host;
  store.set({ overlay: { kind: "help", scroll: 0, tables: helpTables(store.get()) } });
  await loadCommands(host);
  const { overlay } = store.get();
  if (overlay?.kind === "help") store.set({ overlay: { ...overlay, tables: helpTables(store.get()) } });
}

function createComposer(controllers: Controllers, window: Pick<CommandContext["window"], "show" | "leave" | "copy">) {
  const { host, messages } = controllers;
  const { store } = host;
  const context: CommandContext = {
    store,
    window: {
      ...window,
      showHelp: () => void showHelp(host),
      showUsage: () => showUsage(host),
      showContext: (agentId) => showContext(host, agentId),
    },
    controllers,
  };
  const commands = commandList(context, (typed) => loadCommands(host, typed));
  const completion = new CompletionController(host, commands);
  return new ComposerScope({ store, messages, completion, run: commandRunner(context, commands) });
}
