import type { CommandContext } from "../commands/command-row.ts";
import type { KeyEvent } from "../input/index.ts";
import { withText } from "../state/composer.ts";
import type { Store } from "../state/store.ts";
import type { WindowRequest } from "../window-request.ts";
import { CardDesk } from "./card-desk.ts";
import { ChatKeys } from "./chat-keys.ts";
import { commandRunner } from "./command-runner.ts";
import { CompletionDesk } from "./completion-desk.ts";
import { DoctorDesk } from "./doctor-desk.ts";
import type { Clock, ConnectServer, ServerEvents } from "./harness-client.ts";
import { HistoryDesk } from "./history-desk.ts";
import { KeyDesk } from "./key-desk.ts";
import { Keyboard, type TranscriptScroll } from "./keyboard.ts";
import { MessageDesk } from "./message-desk.ts";
import { ModelDesk } from "./model-desk.ts";
import { ScreenActions } from "./screen-actions.ts";
import { ServerLink } from "./server-link.ts";
import { SessionDesk } from "./session-desk.ts";
import { SettingsDesk } from "./settings-desk.ts";
import { showUsage } from "./show-usage.ts";

export type WindowActionsParts = {
  request: Omit<WindowRequest, "server">;
  store: Store;
  clock: Clock;
  connect: ConnectServer;
  newId(): string;
  scroll: TranscriptScroll;
  /** A key for components that read keys by themselves. */
  typeInto(key: KeyEvent): void;
  leave(code: number): void;
  suspend(): void;
  redraw(): void;
};

export type WindowActions = {
  readonly keyboard: Keyboard;
  readonly settings: SettingsDesk;
  /** Starts the server and opens what was asked for. */
  start(): void;
  close(): Promise<void>;
};

/** Home's list is a glance; History has all. */
const RECENT = 9;

/** Everything the window can do, wired: the only callers of the server. */
export function createWindowActions(parts: WindowActionsParts): WindowActions {
  const { request, store, clock, leave } = parts;
  const link: ServerLink = new ServerLink({
    connect: parts.connect,
    clock,
    events: serverEvents(store, () => ({ sessions, cards, settings, keys, doctor, home, history })),
    onStatus(status) {
      if (status.status !== "ready") {
        cards.withdrawAll();
        sessions.lost();
      }
      store.dispatch({ type: "linkChanged", link: status });
    },
    onReady: (client) => sessions.reattach(client),
  });
  const cards = new CardDesk(store, clock);
  const sessions = new SessionDesk({ link, store, clock, request, newId: parts.newId });
  const messages = new MessageDesk({ link, store, newId: parts.newId, session: () => sessions.need() });
  const home = homeLoader(store, link, request.cwd);
  /** Which models there are and which one is used may be other than before. */
  const changed = (): void => {
    void home.providers();
    void sessions.refreshHud();
  };
  const chosen = (): void => void home.providers();
  const models = new ModelDesk({ store, link, chosen, configure: (config) => sessions.configure(config) });
  const doctor = new DoctorDesk({ store, link });
  const keys = new KeyDesk({ store, link, changed });
  const close = () => screens.back();
  const settings = new SettingsDesk({ store, link, keys, typeInto: parts.typeInto, close, saved: changed });
  const history = new HistoryDesk({
    store,
    link,
    clock,
    close,
    open: (sessionId) => sessions.open(sessionId),
    forget: (sessionId) => sessions.forget(sessionId),
  });
  const screens = new ScreenActions({
    store,
    loadHome: () => home.recent(),
    loadSettings: async () => {
      await Promise.all([settings.load(), keys.load()]);
    },
    loadHistory: () => history.load(),
  });
  const context = commandContext(store, { sessions, screens, models, doctor, link, leave });
  const run = commandRunner(context, link, () => sessions.sessionId);
  const completion = new CompletionDesk({ store, clock, link, context });
  const chat = new ChatKeys({
    store,
    sessions,
    messages,
    completion,
    run,
    say: (text) => context.say("warning", text),
  });
  const redraw = (): void => {
    link.retry();
    parts.redraw();
  };
  const keyboard = new Keyboard({ ...parts, redraw, sessions, cards, chat, settings, history, models, screens });

  return {
    keyboard,
    settings,
    start() {
      void link.start();
      void home.all();
      void tellProblems(settings, store);
      void openAsked(request, { sessions, messages, link, store });
    },
    close: () => link.close(),
  };
}

type Hearers = {
  sessions: SessionDesk;
  cards: CardDesk;
  settings: SettingsDesk;
  keys: KeyDesk;
  doctor: DoctorDesk;
  home: ReturnType<typeof homeLoader>;
  history: HistoryDesk;
};

/** Who hears what of the server; `who` is asked when there is something to hear. */
function serverEvents(store: Store, who: () => Hearers): Omit<ServerEvents, "onLost"> {
  return {
    onUpdate: (update) => who().sessions.take(update),
    onHud(sessionId, hud) {
      if (sessionId === who().sessions.sessionId) store.dispatch({ type: "hudChanged", hud });
    },
    onPermission: (sessionId, permission, signal) => who().cards.askPermission(sessionId, permission, signal),
    onQuestion: (question, signal) => who().cards.askQuestion(question, signal),
    onProbe: (probe) => who().doctor.take(probe),
    onLogin: (update) => who().keys.loginEnded(update),
    onSettingsChanged: () => void who().settings.load(),
    onSessionsChanged() {
      const { screen } = store.get();
      if (screen === "home") void who().home.recent();
      if (screen === "history") void who().history.load();
    },
  };
}

/** What is wrong with the settings; without a server nothing is known of them. */
async function tellProblems(settings: SettingsDesk, store: Store): Promise<void> {
  await settings.load();
  const { link, settings: found } = store.get();
  if (link.status === "failed") return;
  for (const text of found.problems) store.dispatch({ type: "noted", note: { severity: "warning", text } });
}

/** What the command line asked for: a stored session, a first message. */
async function openAsked(
  { open, config, cwd, prompt }: Omit<WindowRequest, "server">,
  { sessions, messages, link, store }: { sessions: SessionDesk; messages: MessageDesk; link: ServerLink; store: Store },
): Promise<void> {
  const opened = open.how === "new" || (await openStored(open, { config, cwd }, sessions, link, store));
  const canSend = opened && !store.get().reading;
  if (prompt && canSend) messages.send(prompt, "queue");
  // A message meant for a session that cannot be opened must not start another one.
  if (prompt && !canSend) {
    const { composer } = store.get();
    store.dispatch({ type: "composerChanged", composer: withText(composer, prompt) });
  }
  if (!opened || !prompt) void sessions.refreshHud();
}

async function openStored(
  open: Exclude<WindowRequest["open"], { how: "new" }>,
  { config, cwd }: Pick<WindowRequest, "config" | "cwd">,
  sessions: SessionDesk,
  link: ServerLink,
  store: Store,
): Promise<boolean> {
  if (open.how === "id") return sessions.open(open.id, config);
  const newest = await link.call("session/list", { cwd, limit: 1 }).catch(() => undefined);
  const [session] = newest?.sessions ?? [];
  if (session) return sessions.open(session.sessionId, config);
  const text = "No session of this folder is stored yet.";
  store.dispatch({ type: "noted", note: { severity: "info", text } });
  return false;
}

function homeLoader(store: Store, link: ServerLink, cwd: string) {
  const recent = async (): Promise<void> => {
    const found = await link.call("session/list", { cwd, limit: RECENT }).catch(() => undefined);
    if (found) store.dispatch({ type: "recentListed", sessions: found.sessions });
  };
  const providers = async (): Promise<void> => {
    const found = await link.call("providers/list", {}).catch(() => undefined);
    if (!found) return;
    const { selected, advice = [] } = found;
    store.dispatch({ type: "providersListed", providers: { ...(selected ? { selected } : {}), advice } });
  };
  const commands = async (): Promise<void> => {
    const found = await link.call("commands/list", {}).catch(() => undefined);
    if (found) store.dispatch({ type: "commandsListed", commands: found.commands });
  };
  return {
    providers,
    recent: async (): Promise<void> => {
      await Promise.all([recent(), providers()]);
    },
    all: async (): Promise<void> => {
      await Promise.all([recent(), providers(), commands()]);
    },
  };
}

type ContextParts = {
  sessions: SessionDesk;
  screens: ScreenActions;
  models: ModelDesk;
  doctor: DoctorDesk;
  link: Pick<ServerLink, "call">;
  leave(code: number): void;
};

function commandContext(
  store: Store,
  { sessions, screens, models, doctor, link, leave }: ContextParts,
): CommandContext {
  return {
    state: store.get,
    say: (severity, text) => store.dispatch({ type: "noted", note: { severity, text } }),
    show: (screen) => screens.show(screen),
    showHelp: () => store.dispatch({ type: "overlayShown", overlay: { kind: "help", scroll: 0 } }),
    begin: () => sessions.begin(),
    rename: (title) => sessions.rename(title),
    chooseModel: () => models.open(),
    setModel: (name) => models.use(name),
    showUsage: () => showUsage(store, link),
    examine: (model) => doctor.run(model),
    modelNames: () => models.names(),
    stopAgent: (agentId) => sessions.stopAgent(agentId),
    leave,
  };
}
