import { type AgentApp, agent, methods } from "@agentclientprotocol/sdk/unstable";
import { requestFailure } from "../peer/request-failure.ts";
import type { OpenSessions } from "../sessions/open-sessions.ts";
import type { AcpAgent } from "./acp-agent.ts";

const { agent: calls } = methods;

/** The methods of the protocol, each with what answers it. A cancel takes the same steps as the prompt before it. */
export function agentApp(acp: AcpAgent): AgentApp {
  const at = <T>(work: (sessions: OpenSessions) => Promise<T>) =>
    refusable(acp.server().then((all) => work(all.sessions)));
  return agent({ name: "harness" })
    .onConnect(({ client }) => acp.connected(client))
    .onRequest(calls.initialize, ({ params }) => acp.initialize(params))
    .onRequest(calls.authenticate, ({ params }) => refusable(acp.authenticate(params)))
    .onRequest(calls.session.new, ({ params }) => at((sessions) => sessions.begin(params)))
    .onRequest(calls.session.prompt, ({ params, signal }) =>
      at((sessions) => sessions.need(params).prompt(params, signal)),
    )
    .onNotification(calls.session.cancel, ({ params }) =>
      at(async (sessions) => sessions.find(params.sessionId)?.cancel()),
    );
}

/** An expected refusal of the server keeps its code and its sentence. */
async function refusable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw requestFailure(error);
  }
}
