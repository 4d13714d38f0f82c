import type { NoticeListeners, SetupOption } from "@harness/client";
import type { EditedText } from "@harness/client/actions";
import { copyAnswer } from "@harness/client/commands";
import type { SettingKey } from "@harness/protocol";
import type { PictureController } from "../attachments/picture-controller.ts";
import type { CommandContext } from "../commands/command-context.ts";
import { commandList, knownCommands } from "../commands/command-list.ts";
import { commandRunner } from "../commands/command-runner.ts";
import { WindowFront } from "../commands/window-front.ts";
import { CompletionController } from "../composer/completion.ts";
import { ComposerScope } from "../composer/composer-scope.ts";
import { InputHistory } from "../composer/input-history.ts";
import { showContext } from "../overlays/context/show-context.ts";
import { showFileDiff } from "../overlays/sheets/show-file-diff.ts";
import { showUsage } from "../overlays/sheets/show-usage.ts";
import { helpSheet } from "../overlays/sheets/state.ts";
import type { CellPosition } from "../render/screen-selection.ts";
import { settingsSlice, settingValue } from "../screens/settings/state.ts";
import { ModelWatch } from "../session/model-watch.ts";
import { loadCommands, loadProviders } from "../session/server-catalog.ts";
import type { ShownQuestion } from "../window/window-painter.tsx";
import { type ControllerDeps, type Controllers, createControllers } from "./controllers.ts";
import { conversationScopes, typedScope } from "./conversation.ts";
import { helpTables } from "./docs.ts";
import { Keyboard } from "./keyboard.ts";
import { Navigation } from "./navigation.ts";
import { combined } from "./notice-listeners.ts";
import { openRequested } from "./open-requested.ts";
import type { TextMarker } from "./text-marker.ts";
import type { Transcript } from "./transcript-scope.ts";

export type WindowControllerDeps = ControllerDeps & {
  transcript: Transcript;
  window: {
    leave(code: number): void;
    suspend(): void;
    redraw(): void;
    marking: Pick<TextMarker, "start" | "take">;
    /** Puts a text into the clipboard; returns what was copied, as a sentence. */
    copy(text: string): string;
    /** Whether the terminal tells Shift+Enter from Enter. */
    tellsShiftEnter(): Promise<boolean>;
    /** Shows a text on the terminal's own screen until Enter is pressed. */
    showText(text: string): Promise<void>;
    /** Gives the terminal to an editor until the user has edited a text in it. */
    edit(text: string): Promise<EditedText>;
    /** The key scopes of the currently mounted components, in the order in which they are asked. */
    mountedScopes(): readonly string[];
  };
};

export type WindowController = {
  readonly keyboard: Keyboard;
  readonly pictures: PictureController;
  /** Starts the server and opens what was requested. */
  start(): void;
  /** A click on the list of the screen in view; the cell is one of the list's. */
  clickList(cell: CellPosition): void;
  /** Shows the agent's changes to a file. */
  showFile(path: string): void;
  /** The terminal has taken a frame: the question in it can be answered. */
  drawn(question: ShownQuestion): void;
  /** The terminal no longer shows the last frame. */
  hide(): void;
  close(): Promise<void>;
};

/** The whole window, wired together: the only callers of the server. */
export function createWindowController(deps: WindowControllerDeps): WindowController {
  const notices: NoticeListeners = {};
  const controllers = createControllers(deps, notices, () => {
    navigation.refresh();
    navigation.current?.load?.();
    void loadCommands(host);
    window.changed();
  });
  const { host, link, session, trust, overlays, messages } = controllers;
  const { models, keys } = overlays;
  const { store } = host;
  const window = {
    ...deps.window,
    redraw(): void {
      link.retry();
      deps.window.redraw();
    },
    copyCode: (): void => void copyAnswer(front, "code"),
    showBare: (): void => void front.bare(),
    show: (screen: string): void => navigation.show(screen),
    back: (): void => navigation.back(),
    showMatch: ({ index, words }: { readonly index: number; readonly words: string }): void =>
      controllers.find.openAt(words, index),
    chooseModel: (option?: SetupOption): void => void models.open(option),
    changed(): void {
      void loadProviders(host);
      void session.refreshHud();
    },
  };
  const history = new InputHistory(host);
  const { composer, front } = createComposer(controllers, history, window);
  const watch = new ModelWatch(host, {
    refreshHud: () => session.refreshHud(),
    refreshList: () => models.refreshList(),
    submit: () => composer.submit(),
  });
  const keyParts = { ...deps, ...controllers, rewind: overlays.rewind, composer, window };
  const input = { dialogs: controllers.dialogs, composer, lines: host.lines };
  const typed = typedScope(controllers.dialogs);
  const screenHost = { ...host, session, window: { ...window, typed, submit: () => composer.submit() } };
  const navigation: Navigation = new Navigation(store, screenHost);
  Object.assign(notices, combined([ownNotices(controllers), ...navigation.all.map((screen) => screen.notices ?? {})]));

  return {
    pictures: controllers.pictures,
    keyboard: new Keyboard(keyParts, {
      ...navigation.scopes,
      ...overlays,
      ...conversationScopes({ ...keyParts, input, overlays: { ...overlays, find: controllers.find } }),
      trust,
    }),
    start() {
      void link.start();
      void trust.check();
      if (deps.request.open.how === "choose") navigation.show("history");
      else navigation.current?.load?.();
      void loadCommands(host);
      void keys.load();
      void history.load();
      void trust.decided().then(() => navigation.refresh());
      void openRequested(host, session, messages);
    },
    clickList: (cell) => navigation.current?.click?.(cell),
    showFile: (path) => void showFileDiff(host, path),
    ...askedInView(controllers),
    close() {
      watch.close();
      return closeServers(controllers);
    },
  };
}

/** Leaves the servers of other windows, and ends that of this one. */
function closeServers({ host, server, link, session }: Controllers): Promise<void> {
  if (server.isElsewhere(session.sessionId ?? "")) host.store.set({ goesOn: true });
  server.close();
  return link.close();
}

/** Reports which of the questions to the user the terminal shows. */
function askedInView({ host, dialogs, trust }: Controllers): Pick<WindowController, "drawn" | "hide"> {
  return {
    drawn(question) {
      // The terminal has a different size by now, and shows something else.
      if (question.size !== host.store.get().size) return;
      dialogs.drawn(question.dialog);
      trust.drawn(question.trust);
    },
    hide() {
      dialogs.hide();
      trust.hide();
    },
  };
}

function ownNotices({ session, overlays }: Controllers): NoticeListeners {
  const { doctor, keys, models } = overlays;
  return {
    "hud/update": ({ sessionId, hud }) => {
      if (sessionId === session.sessionId) session.hud.take(hud);
    },
    "hud/folder": ({ cwd: _cwd, ...folder }) => {
      if (session.sessionId === undefined) session.hud.takeFolder(folder);
    },
    "models/probe": (probe) => doctor.probed(probe),
    "models/pull_update": (update) => models.pulling(update),
    "keys/changed": () => void keys.load(),
    "auth/login_update": (end) => models.loginEnded(end),
  };
}

/** At once with the known commands, then with those that the server has found. */
async function showHelp(host: Controllers["host"]): Promise<void> {
  const { store } = host;
  store.set({ overlay: { kind: "help", scroll: 0, tables: helpTables(store.get()) } });
  await loadCommands(host);
  const sheet = helpSheet.of(store.get());
  if (sheet) store.set({ overlay: { ...sheet, tables: helpTables(store.get()) } });
}

function createComposer(
  controllers: Controllers,
  history: InputHistory,
  window: Pick<WindowControllerDeps["window"], "leave" | "copy" | "edit" | "showText" | "tellsShiftEnter"> &
    Pick<CommandContext["window"], "show">,
): { composer: ComposerScope; front: WindowFront } {
  const { host, messages, pictures } = controllers;
  const { store } = host;
  const context: CommandContext = {
    store,
    window: {
      ...window,
      edit: (text) => void scope.edit(text),
      showHelp: () => void showHelp(host),
      showUsage: () => showUsage(host),
      showContext: (agentId) => showContext(host, agentId),
    },
    controllers,
  };
  const front = new WindowFront(context);
  const all = () => knownCommands(store.get());
  const commands = commandList(front, all, (typed) => loadCommands(host, typed));
  const completion = new CompletionController(host, commands);
  const setting = (key: SettingKey): unknown => settingValue(settingsSlice.of(store.get()).settings, key);
  const run = commandRunner(front, commands);
  const showKeys = (): void => {
    store.set({ keySheet: true });
    void window.tellsShiftEnter().then((hasShiftEnter) => store.set({ hasShiftEnter }));
  };
  const scope: ComposerScope = new ComposerScope({
    ...{ store, messages, completion, pictures, history },
    window: { run, setting, showKeys, openEditor: window.edit },
  });
  return { composer: scope, front };
}
