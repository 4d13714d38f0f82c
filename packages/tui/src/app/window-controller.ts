import type { NoticeListeners } from "@harness/client";
import { commandList } from "../commands/command-list.ts";
import type { CommandContext } from "../commands/command-row.ts";
import { commandRunner } from "../commands/command-runner.ts";
import { CompletionController } from "../composer/completion.ts";
import { ComposerScope } from "../composer/composer-scope.ts";
import { dialogScope } from "../dialogs/dialog-scope.ts";
import type { KeyEvent } from "../input/index.ts";
import { type Scope, takenBy } from "../keymap/scope.ts";
import { sheetScope } from "../overlays/sheets/sheet-keys.ts";
import { showUsage } from "../overlays/sheets/show-usage.ts";
import type { Store } from "../state/store.ts";
import { type ControllerParts, type Controllers, createControllers } from "./controllers.ts";
import { conversation } from "./conversation.ts";
import { helpTables } from "./docs.ts";
import { Keyboard } from "./keyboard.ts";
import { Navigation, screenKeys } from "./navigation.ts";
import { combined } from "./notice-listeners.ts";
import { openRequested } from "./open-requested.ts";
import type { TranscriptControl } from "./transcript-scope.ts";

export type WindowControllerParts = ControllerParts & {
  transcript: TranscriptControl;
  window: {
    /** A key for components that read keys by themselves. */
    typeInto(key: KeyEvent): void;
    leave(code: number): void;
    suspend(): void;
    redraw(): void;
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
  const { request, store, clock } = parts;
  const notices: NoticeListeners = {};
  const controllers = createControllers(parts, notices, () => {
    refreshScreens();
    navigation.current?.load?.();
    void catalog.loadCommands();
    window.changed();
  });
  const { server, session, catalog, dialogs, trust, messages, doctor } = controllers;
  const window = {
    ...parts.window,
    redraw(): void {
      server.retry();
      parts.window.redraw();
    },
    show: (screen: string): void => navigation.show(screen),
    back: (): void => navigation.back(),
    changed(): void {
      void catalog.loadProviders();
      void session.refreshHud();
    },
  };
  const composer = createComposer(parts, controllers, window);
  const keyParts = { ...parts, ...controllers, composer, window };
  const navigation: Navigation = new Navigation(store, {
    ...{ store, server, clock, session, catalog, window },
    conversation: conversation({ ...keyParts, dialogs: dialogScope(store, dialogs) }),
  });
  const own: NoticeListeners = {
    "hud/update": ({ sessionId, hud }) => {
      if (sessionId === session.sessionId) store.dispatch({ type: "hudChanged", hud });
    },
    "models/probe": (probe) => doctor.take(probe),
  };
  Object.assign(notices, combined([own, ...navigation.all.map((screen) => screen.notices ?? {})]));

  return {
    keyboard: new Keyboard({ ...keyParts, scopes: scopesOf(store, controllers, navigation), screenKeys }),
    start() {
      void server.start();
      void trust.check();
      navigation.current?.load?.();
      void catalog.loadCommands();
      void trust.decided().then(refreshScreens);
      void openRequested(request, { session, messages, server, store });
    },
    close: () => server.close(),
  };

  function refreshScreens(): void {
    for (const screen of navigation.all) screen.refresh?.();
  }
}

/** The scopes in the order in which they are asked. */
function scopesOf(store: Store, { trust, models, rewind }: Controllers, navigation: Navigation): Scope[] {
  const overlays = [models, rewind, sheetScope(store)];
  return [
    trust,
    { take: (event) => !store.get().trust && takenBy(overlays, event) },
    { take: (event) => navigation.current?.take(event) ?? false },
  ];
}

function createComposer(
  { store, clock }: WindowControllerParts,
  controllers: Controllers,
  window: Pick<CommandContext["window"], "show" | "leave">,
): ComposerScope {
  const { server, messages } = controllers;
  const context: CommandContext = {
    state: store.get,
    say: (severity, text) => store.dispatch({ type: "noted", note: { severity, text } }),
    window: {
      ...window,
      showHelp() {
        const tables = helpTables(store.get());
        store.dispatch({ type: "overlayShown", overlay: { kind: "help", scroll: 0, tables } });
      },
      showUsage: () => showUsage(store, server),
    },
    controllers,
  };
  return new ComposerScope({
    store,
    messages,
    completion: new CompletionController({ store, clock, server, commands: commandList(context) }),
    run: commandRunner(context),
    warn: (text) => context.say("warning", text),
  });
}
