import { type AgentApp, agent, methods, RequestError } from "@agentclientprotocol/sdk/unstable";
import { requestFailure } from "../peer/request-failure.ts";
import type { OpenSessions } from "../sessions/open-sessions.ts";
import type { AcpAgent } from "./acp-agent.ts";
import { OWN_METHODS } from "./agent-description.ts";

const { agent: calls } = methods;

/** The methods of the protocol, each with what answers it. A cancel takes the same steps as the prompt before it. */
export function agentApp(acp: AcpAgent): AgentApp {
  const at = <T>(work: (sessions: OpenSessions) => Promise<T>) =>
    refusable(acp.server().then((all) => work(all.sessions)));
  return agent({ name: "harness" })
    .onConnect(({ client }) => acp.connected(client))
    .onRequest(calls.initialize, ({ params }) => acp.initialize(params))
    .onRequest(calls.authenticate, ({ params }) => refusable(acp.authenticate(params)))
    .onRequest(calls.auth.status, () => refusable(acp.authStatus()))
    .onRequest(calls.session.new, ({ params }) => at((sessions) => sessions.begin(params)))
    .onRequest(calls.session.load, ({ params }) => at((sessions) => sessions.resume(params, { isReplayed: true })))
    .onRequest(calls.session.resume, ({ params }) => at((sessions) => sessions.resume(params, { isReplayed: false })))
    .onRequest(calls.session.fork, ({ params }) => at((sessions) => sessions.fork(params)))
    .onRequest(calls.session.list, ({ params }) => at(({ stored }) => stored.list(params)))
    .onRequest(calls.session.status, ({ params }) => at(({ stored }) => stored.status(params.sessionId)))
    .onRequest(calls.session.setTitle, ({ params }) =>
      at(({ stored }) => stored.setTitle(params.sessionId, params.title)),
    )
    .onRequest(calls.session.archive, ({ params }) => done(at((sessions) => sessions.archive(params.sessionId))))
    .onRequest(calls.session.unarchive, ({ params }) =>
      done(at(({ stored }) => stored.archive(params.sessionId, { isArchived: false }))),
    )
    .onRequest(calls.session.close, ({ params }) => done(at((sessions) => sessions.close(params.sessionId))))
    .onRequest(calls.session.delete, ({ params }) => done(at((sessions) => sessions.delete(params.sessionId))))
    .onRequest(calls.session.setMode, ({ params }) =>
      done(at(async (sessions) => sessions.need(params).setMode(params.modeId))),
    )
    .onRequest(calls.session.setConfigOption, ({ params }) =>
      at(async (sessions) => ({ configOptions: await sessions.need(params).setOption(params.configId, params.value) })),
    )
    .onRequest(calls.session.prompt, ({ params, signal }) =>
      at((sessions) => sessions.need(params).prompt(params, signal)),
    )
    .onRequest("*", async ({ method, params, signal }) => {
      if (!method.startsWith(OWN_METHODS)) throw RequestError.methodNotFound(method);
      const own = { method: method.slice(OWN_METHODS.length), params, signal };
      return await refusable(acp.server().then((server) => server.ownMethods.call(own)));
    })
    .onNotification(calls.session.cancel, ({ params }) => at((sessions) => sessions.cancel(params.sessionId)));
}

/** For requests whose answer has no fields. */
async function done(work: Promise<void>): Promise<Record<string, never>> {
  await work;
  return {};
}

/** An expected refusal of the server keeps its code and its sentence. */
async function refusable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw requestFailure(error);
  }
}
