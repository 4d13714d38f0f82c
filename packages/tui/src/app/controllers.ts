import {
  GOES_ON_HERE,
  holderConnector,
  type NoticeListeners,
  OPEN_ELSEWHERE,
  ServerLink,
  type ServerLinkOptions,
  type ServerListeners,
  type Session,
  SessionRouter,
} from "@harness/client";
import { MentionPreviewController } from "../attachments/mention-preview.ts";
import { PictureController, type PictureDeps } from "../attachments/picture-controller.ts";
import type { WindowHost } from "../client/window-host.ts";
import { AnswerGuard } from "../dialogs/answer-guard.ts";
import { DialogQueue } from "../dialogs/dialog-queue.ts";
import type { Acknowledge } from "../dialogs/dialog-visibility.ts";
import { endInView } from "../dialogs/index.ts";
import { TrustController } from "../dialogs/trust/trust-controller.ts";
import { FindController, type SearchedTranscript } from "../find/find-controller.ts";
import { createOverlays } from "../overlays/index.ts";
import { firstEditHint } from "../session/first-edit.ts";
import { MessageController } from "../session/message-controller.ts";
import { serverCommandRunner } from "../session/server-command-runner.ts";
import { SessionController } from "../session/session-controller.ts";
import { StopKeys } from "../session/stop-keys.ts";
import { themeInUse } from "./settings-follower.ts";

export type ControllerDeps = Omit<WindowHost, "server"> & {
  server: Pick<ServerLinkOptions, "connect" | "newId" | "backoffMs" | "texts"> & {
    /** `never`: sockets of other servers are on another machine. */
    attach?: "never";
  };
  transcript: SearchedTranscript;
  window: { clipboard: PictureDeps; acknowledge: Acknowledge };
};

export type Controllers = ReturnType<typeof createControllers>;

/** The server and the controllers that work on every screen. `trustChanged`: the folder was trusted, or no longer is. */
export function createControllers(deps: ControllerDeps, notices: NoticeListeners, trustChanged: () => void) {
  const { store, clock } = deps;
  const listeners: ServerListeners = {
    onUpdate(update) {
      dialogs.see(update);
      session.take(update);
      hint(update);
    },
    onPermission: ({ sessionId, permission }, signal) => dialogs.askPermission(sessionId, permission, signal),
    onQuestion: (question, signal) => dialogs.askQuestion(question, signal),
    notices,
  };
  const server: ServerLink = new ServerLink({
    ...deps.server,
    clock,
    listeners,
    onStatus(link) {
      if (link.status !== "ready") {
        dialogs.withdrawAll((sessionId) => router.isElsewhere(sessionId));
        if (!router.isElsewhere(session.sessionId ?? "")) session.lost();
      }
      store.set({ link });
    },
    async onReady(client, { again }) {
      await session.reattach(router.over(client));
      if (again) void trust.check();
    },
  });
  const router = routerOf(deps, server, listeners, () => session);
  const host: WindowHost = { ...deps, server: router };
  const hint = firstEditHint(host);
  new MentionPreviewController(host);
  const dialogs = new DialogQueue(store, new AnswerGuard(clock), { ...deps.window, endInView });
  const session = new SessionController(host);
  const trust = new TrustController(host, { ...deps.window, arming: dialogs.arming }, trustChanged);
  /** The session for a message or command; nothing is sent before the trust decision. */
  const sessionToUse = async (): Promise<Session> => {
    await trust.decided();
    return session.need();
  };
  const overlays = createOverlays({ ...host, session, theme: themeInUse(store) });
  const model = { refresh: () => session.refreshHud(), ask: () => void overlays.models.open() };
  return {
    ...{ host, server: router, link: server, dialogs, session, trust, overlays },
    messages: new MessageController(host, sessionToUse, model),
    find: new FindController(host, deps.transcript),
    stopping: new StopKeys(host, session),
    pictures: new PictureController(host, deps.window.clipboard),
    runOnServer: serverCommandRunner(host, sessionToUse),
  };
}

/** Leads to the servers that hold sessions of other windows, where this one opens them. */
function routerOf(
  { store, request, clock, server: { attach } }: ControllerDeps,
  own: ServerLink,
  listeners: ServerListeners,
  session: () => SessionController,
): SessionRouter {
  return new SessionRouter({
    own,
    ...(attach !== "never" && { connect: holderConnector({ name: "window", version: request.version, listeners }) }),
    delay: (ms) => new Promise((done) => void clock.after(ms, done)),
    onAttached: () => store.note("info", OPEN_ELSEWHERE),
    async onLost(sessionId, server) {
      store.note("info", GOES_ON_HERE);
      await session().returned(sessionId, server);
    },
  });
}
