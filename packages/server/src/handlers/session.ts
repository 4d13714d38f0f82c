import { type forkMethods, type Handlers, protocolError, type sessionMethods } from "@harness/protocol";
import type { Client } from "../clients/client.ts";
import { LargeAnswers } from "../clients/large-answers.ts";
import type { HandlerHost } from "../handler-host.ts";
import { CLOSE_GRACE_MS } from "../sessions/live-sessions.ts";
import { needDate } from "./sessions/need-date.ts";

export function sessionHandlers(
  server: HandlerHost,
  client: Client,
): Handlers<typeof sessionMethods & typeof forkMethods> {
  const { catalog, deleted, hud, live } = server.sessions;
  const large = new LargeAnswers(client);
  return {
    async "session/new"(params, { afterReply }) {
      const entry = await catalog.create(params, client.profile?.name);
      // The request is already a fact.
      afterReply(() => {
        void entry.subscribers.follow(client, entry, 0);
        hud.refresh(entry.session.sessionId);
      });
      return catalog.describe(entry);
    },
    async "session/list"(params) {
      needDate(params.since);
      return await catalog.list(params);
    },
    async "session/get"({ sessionId }) {
      const entry = live.get(sessionId);
      if (!entry) return { ...(await catalog.inspect(sessionId)), pending: [], queue: [] };
      return { ...catalog.describe(entry), pending: entry.requests.pending(), queue: entry.session.state.queue };
    },
    "session/moved": ({ cwd }) => catalog.moved(cwd),
    async "session/resume"({ sessionId, cwd, replay: wanted, ...asked }, { afterReply }) {
      const from = cwd === undefined ? undefined : await catalog.takeAlong(sessionId, cwd);
      const entry = await catalog.open(sessionId, asked);
      const { seq } = entry.session.state;
      if (wanted.type === "after" && wanted.seq > seq)
        throw protocolError(
          "conflict",
          `Session ${sessionId} has ${seq} facts, not ${wanted.seq}; resume from the start.`,
          {
            version: seq,
          },
        );
      const after = wanted.type === "none" ? undefined : wanted.type === "after" ? wanted.seq : 0;
      await entry.subscribers.follow(client, entry, after);
      hud.refresh(sessionId);
      if (from !== undefined)
        entry.session.warn(`This session goes on in ${cwd}.`, `Its folder ${from} no longer exists.`);
      afterReply(() => entry.requests.attach(client));
      return catalog.describe(entry);
    },
    "session/fork": (params) => catalog.fork(params, client.profile?.name),
    "session/detach": ({ sessionId }) => {
      live.need(sessionId).subscribers.leave(client);
      return {};
    },
    async "session/folder"({ sessionId }) {
      const { folder } = server.sessions;
      if (sessionId === undefined) return { path: folder };
      return { path: await catalog.folderOf(sessionId) };
    },
    "session/history": (params, { afterReply }) => large.make(afterReply, () => catalog.reader.history(params)),
    "session/tail": (params, { afterReply }) => large.make(afterReply, () => catalog.reader.tail(params)),
    async "session/close"({ sessionId }) {
      await live.close(sessionId, CLOSE_GRACE_MS);
      return {};
    },
    async "session/delete"({ sessionId, now = false }) {
      live.get(sessionId)?.processes.keepNone();
      await live.close(sessionId, CLOSE_GRACE_MS);
      await (now ? deleted.remove(sessionId) : deleted.put(sessionId));
      server.clients.broadcast("sessions/changed", {});
      return {};
    },
    async "session/set_title"({ sessionId, title }) {
      await catalog.rename(sessionId, title);
      return {};
    },
    "session/set_config_option": ({ sessionId, config }) => ({
      config: live.need(sessionId).session.setConfig(config),
    }),
  };
}
