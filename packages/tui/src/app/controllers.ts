import type { Clock } from "../client/harness-client.ts";
import type { ServerLink } from "../client/server-link.ts";
import { Arming } from "../dialogs/arming.ts";
import { CardDesk } from "../dialogs/dialog-queue.ts";
import { TrustDesk } from "../dialogs/trust/trust-controller.ts";
import type { KeyEvent } from "../input/index.ts";
import { ModelDesk } from "../overlays/models/model-controller.ts";
import { RewindDesk } from "../overlays/rewind/rewind-controller.ts";
import { DoctorDesk } from "../overlays/sheets/doctor-controller.ts";
import { HistoryDesk } from "../screens/history/history-controller.ts";
import { homeLoader } from "../screens/home/home-loader.ts";
import { KeyDesk } from "../screens/settings/credential-controller.ts";
import { SettingsDesk } from "../screens/settings/settings-controller.ts";
import { MessageDesk } from "../session/message-controller.ts";
import { serverCommands } from "../session/server-commands.ts";
import { SessionDesk } from "../session/session-controller.ts";
import type { Store } from "../state/store.ts";
import type { WindowRequest } from "../state/window-request.ts";
import { ScreenActions } from "./screen-actions.ts";

export type DeskParts = {
  request: Omit<WindowRequest, "server">;
  store: Store;
  clock: Clock;
  wallNow(): number;
  newId(): string;
  /** A key for components that read keys by themselves. */
  typeInto(key: KeyEvent): void;
};

export type Desks = ReturnType<typeof createDesks>;

/** One for each thing that the window does with the server, and what they have of each other. */
export function createDesks(parts: DeskParts, link: Pick<ServerLink, "call">) {
  const { request, store, clock, newId, wallNow } = parts;
  const arming = new Arming(clock);
  const cards = new CardDesk({ store, arming, wallNow });
  const sessions = new SessionDesk({ link, store, clock, request, newId });
  const home = homeLoader(store, link, request.cwd);
  /** Which models there are and which one is used may be other than before. */
  const changed = (): void => {
    void home.providers();
    void sessions.refreshHud();
  };
  const refreshed = (): void => {
    void home.all();
    void settings.tellProblems();
    void sessions.refreshHud();
  };
  const trust = new TrustDesk({ store, link, arming, cwd: request.cwd, changed: refreshed });
  const session = async (): Promise<string> => {
    await trust.decided();
    return sessions.need();
  };
  const chosen = (): void => void home.providers();
  const keys = new KeyDesk({ store, link, changed });
  const close = (): void => screens.back();
  const settings: SettingsDesk = new SettingsDesk({
    store,
    link,
    keys,
    typeInto: parts.typeInto,
    close,
    saved: changed,
  });
  const open = (sessionId: string): Promise<boolean> => sessions.open(sessionId);
  const forget = (sessionId: string): void => sessions.forget(sessionId);
  const history = new HistoryDesk({ store, link, clock, close, open, forget });
  const screens: ScreenActions = new ScreenActions({
    store,
    loadHome: () => home.recent(),
    loadSettings: async () => {
      await Promise.all([settings.load(), keys.load()]);
    },
    loadHistory: () => history.load(),
  });
  return {
    ...{ arming, cards, sessions, home, trust, keys, settings, history, screens },
    messages: new MessageDesk({ link, store, newId, session }),
    models: new ModelDesk({ store, link, chosen, configure: (config) => sessions.configure(config) }),
    doctor: new DoctorDesk({ store, link }),
    rewind: new RewindDesk({ store, link }),
    runOnServer: serverCommands({ store, link, cwd: request.cwd, session }),
  };
}
