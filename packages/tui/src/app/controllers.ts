import type { NoticeListeners } from "@harness/client";
import type { ConnectServer } from "../client/connect-server.ts";
import { ServerLink } from "../client/server-link.ts";
import { Arming } from "../dialogs/arming.ts";
import { DialogQueue } from "../dialogs/dialog-queue.ts";
import { TrustController } from "../dialogs/trust/trust-controller.ts";
import { ModelController } from "../overlays/models/model-controller.ts";
import { RewindController } from "../overlays/rewind/rewind-controller.ts";
import { DoctorController } from "../overlays/sheets/doctor-controller.ts";
import { MessageController } from "../session/message-controller.ts";
import { ServerCatalog } from "../session/server-catalog.ts";
import { serverCommands } from "../session/server-commands.ts";
import { SessionController } from "../session/session-controller.ts";
import type { Clock } from "../state/clock.ts";
import type { Store } from "../state/store.ts";
import type { WindowRequest } from "../state/window-request.ts";

export type ControllerParts = {
  request: Omit<WindowRequest, "server">;
  store: Store;
  clock: Clock;
  connect: ConnectServer;
  newId(): string;
};

export type Controllers = ReturnType<typeof createControllers>;

/** The server and the controllers that work on every screen. `trustChanged`: the folder was trusted, or no longer is. */
export function createControllers(
  { request, store, clock, newId, connect }: ControllerParts,
  notices: NoticeListeners,
  trustChanged: () => void,
) {
  const server: ServerLink = new ServerLink({
    connect,
    clock,
    listeners: {
      onUpdate(update) {
        dialogs.hear(update);
        session.take(update);
      },
      onPermission: ({ sessionId, permission }, signal) => dialogs.askPermission(sessionId, permission, signal),
      onQuestion: (question, signal) => dialogs.askQuestion(question, signal),
      notices,
    },
    onStatus(status) {
      if (status.status !== "ready") {
        dialogs.withdrawAll();
        session.lost();
      }
      store.dispatch({ type: "linkChanged", link: status });
    },
    async onReady(client, again) {
      await session.reattach(client);
      if (again) void trust.check();
    },
  });
  const arming = new Arming(clock);
  const dialogs = new DialogQueue({ store, arming, clock });
  const session = new SessionController({ server, store, clock, request, newId });
  const catalog = new ServerCatalog(store, server);
  const trust = new TrustController({ store, server, arming, cwd: request.cwd, changed: trustChanged });
  /** The session for a message or command; nothing is sent before the trust decision. */
  const sessionId = async (): Promise<string> => {
    await trust.decided();
    return session.need();
  };
  return {
    ...{ server, arming, dialogs, session, catalog, trust },
    messages: new MessageController({ server, store, newId, session: sessionId }),
    models: new ModelController({
      store,
      server,
      configure: (config) => session.configure(config),
      chosen: () => void catalog.loadProviders(),
    }),
    rewind: new RewindController({ store, server }),
    doctor: new DoctorController({ store, server }),
    runOnServer: serverCommands({ store, server, session: sessionId }),
  };
}
