import type { ConnectServer, ServerEvents } from "../client/harness-client.ts";
import { ServerLink } from "../client/server-link.ts";
import type { CommandContext } from "../commands/command-row.ts";
import { CompletionDesk } from "../composer/completion.ts";
import { ChatKeys } from "../composer/composer-keys.ts";
import { showUsage } from "../overlays/sheets/show-usage.ts";
import type { SettingsDesk } from "../screens/settings/settings-controller.ts";
import type { MessageDesk } from "../session/message-controller.ts";
import type { SessionDesk } from "../session/session-controller.ts";
import { withText } from "../state/composer.ts";
import type { Store } from "../state/store.ts";
import type { WindowRequest } from "../state/window-request.ts";
import { commandRunner } from "./command-runner.ts";
import { createDesks, type DeskParts, type Desks } from "./controllers.ts";
import { Keyboard, type TranscriptScroll } from "./keyboard.ts";

export type WindowActionsParts = DeskParts & {
  connect: ConnectServer;
  scroll: TranscriptScroll;
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

/** Everything the window can do, wired: the only callers of the server. */
export function createWindowActions(parts: WindowActionsParts): WindowActions {
  const { request, store, clock, leave } = parts;
  const link: ServerLink = new ServerLink({
    connect: parts.connect,
    clock,
    events: serverEvents(store, () => desks),
    onStatus(status) {
      if (status.status !== "ready") {
        desks.cards.withdrawAll();
        desks.sessions.lost();
      }
      store.dispatch({ type: "linkChanged", link: status });
    },
    async onReady(client, again) {
      await desks.sessions.reattach(client);
      if (again) void desks.trust.check();
    },
  });
  const desks = createDesks(parts, link);
  const { sessions, messages, settings, home, trust } = desks;
  const context = commandContext(store, link, { ...desks, leave });
  const run = commandRunner(context);
  const completion = new CompletionDesk({ store, clock, link, context });
  const say = (text: string): void => context.say("warning", text);
  const chat = new ChatKeys({ store, sessions, messages, completion, run, say });
  const redraw = (): void => {
    link.retry();
    parts.redraw();
  };
  const keyboard = new Keyboard({ ...parts, ...desks, redraw, chat });

  return {
    keyboard,
    settings,
    start() {
      void link.start();
      void trust.check();
      void home.all();
      void trust.decided().then(() => settings.tellProblems());
      void openAsked(request, { sessions, messages, link, store });
    },
    close: () => link.close(),
  };
}

/** Who hears what of the server; `who` is asked when there is something to hear. */
function serverEvents(store: Store, who: () => Desks): Omit<ServerEvents, "onLost"> {
  return {
    onUpdate(update) {
      who().cards.hear(update);
      who().sessions.take(update);
    },
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

function commandContext(
  store: Store,
  link: Pick<ServerLink, "call">,
  { sessions, screens, models, doctor, trust, rewind, runOnServer, leave }: Desks & { leave(code: number): void },
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
    chooseRewind: () => rewind.open(),
    showTrust: () => trust.open(),
    runOnServer,
    leave,
  };
}
