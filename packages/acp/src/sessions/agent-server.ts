import { type ClientOptions, type HarnessClient, openAttachingClient } from "@harness/client";
import type { AcpDeps } from "../acp-deps.ts";
import { ModelMenu } from "../config/model-menu.ts";
import type { ClientFiles } from "../files/client-files.ts";
import { OpenSessions } from "./open-sessions.ts";
import { MethodTable } from "./own-methods.ts";
import type { SessionHost } from "./session-host.ts";

/** The server behind an agent, with the sessions that its client has open. */
export type AgentServer = {
  readonly client: HarnessClient;
  readonly sessions: OpenSessions;
  readonly ownMethods: MethodTable;
  shutdown(): Promise<void>;
};

type ServerOptions = Pick<AcpDeps, "version" | "openServer" | "log"> & Pick<SessionHost, "peer" | "capabilities">;

/** Reads and writes of files go through a client that offers them, each for itself. */
function filesOf(
  { fs }: ReturnType<SessionHost["capabilities"]>,
  files: (sessionId: string) => ClientFiles | undefined,
): Pick<ClientOptions, "buffers"> {
  if (!fs?.readTextFile && !fs?.writeTextFile) return {};
  return {
    buffers: {
      ...(fs.readTextFile && {
        read: async (params, signal) => (await files(params.sessionId)?.read(params, signal)) ?? { missing: "unknown" },
      }),
      ...(fs.writeTextFile && {
        write: async (params, signal) =>
          (await files(params.sessionId)?.write(params, signal)) ?? { problem: "it has closed the session" },
      }),
    },
  };
}

export async function openAgentServer({ version, openServer, log, ...host }: ServerOptions): Promise<AgentServer> {
  const server = await openServer();
  const arriving: { sessions?: OpenSessions } = {};
  const client = await openAttachingClient(server, "acp", {
    clientInfo: { name: "acp", version },
    onUpdate: (update) => arriving.sessions?.take(update),
    onPermission: async (request, signal) =>
      (await arriving.sessions?.askPermission(request, signal)) ?? { outcome: "cancelled" },
    onQuestion: async (question, signal) =>
      (await arriving.sessions?.askQuestion(question, signal)) ?? { action: "decline" },
    ...filesOf(host.capabilities(), (sessionId) => arriving.sessions?.find(sessionId)?.files),
    notices: { "hud/update": ({ sessionId, hud }) => arriving.sessions?.showUsage(sessionId, hud) },
    // That is said once the client knows the session.
    onAttached: () => undefined,
    onHolderLost: async (sessionId, holder) => await arriving.sessions?.find(sessionId)?.returned(holder),
    // The server is in this process, so it cannot be lost alone.
    onLost: () => undefined,
    onBug: (error, where) => log(`harness acp: internal error in ${where}: ${String(error)}\n`),
  });
  const sessions = new OpenSessions({ ...host, client, models: new ModelMenu(client) });
  arriving.sessions = sessions;
  return { client, sessions, ownMethods: new MethodTable(client), shutdown: () => server.shutdown() };
}
