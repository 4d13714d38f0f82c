import { type Client, linkedPair, openClient } from "@harness/client";
import { ProtocolError, type SessionUpdate } from "@harness/protocol";
import { VERSION } from "@harness/protocol/version";
import { CliError } from "../exit-codes.ts";
import type { RunRequest } from "./run-request.ts";

/** The server's door, as the composition root gives it. */
export type ServerDoor = {
  accept(channel: ReturnType<typeof linkedPair>[0], name: string, onGone: () => void): void;
  /** In words, when no model can be used. */
  shutdown(): Promise<void>;
};

export type HeadlessSession = {
  client: Client;
  sessionId: string;
  config: { model?: string; provider?: string; permissionMode?: string };
};

/** Connects to the server in this process and opens the session that was asked for. */
export async function openHeadlessSession(
  server: ServerDoor,
  request: RunRequest,
  listeners: { onUpdate(update: SessionUpdate): void; onPermission(): void },
): Promise<HeadlessSession> {
  const [near, far] = linkedPair();
  server.accept(far, "headless", () => undefined);
  const answersPermissions = request.failOnPermission || request.streamInput;
  const client = await openClient(near, {
    clientInfo: { name: "harness-run", version: VERSION },
    onUpdate: listeners.onUpdate,
    ...(request.partial
      ? {}
      : { optOut: ["agent_message_chunk", "agent_thought_chunk", "tool_input_chunk", "tool_output_chunk"] }),
    ...(answersPermissions
      ? {
          onPermission: async (_params, signal) => {
            listeners.onPermission();
            // The answer comes as a line of stdin, through permission/reply, or the run is over.
            await new Promise<void>((done) => signal.addEventListener("abort", () => done(), { once: true }));
            return { outcome: "cancelled" };
          },
        }
      : {}),
    onLost: () => undefined,
    onBug: (error, where) => process.stderr.write(`harness: internal error in ${where}: ${String(error)}\n`),
  });
  const opened = await openSession(client, request);
  return { client, sessionId: opened.session.sessionId, config: opened.config };
}

async function openSession(client: Client, request: RunRequest) {
  const { cwd, config, rules, maxTurns, customInstructions, open } = request;
  const asked = {
    config,
    rules,
    ...(maxTurns ? { limits: { maxTurns } } : {}),
    ...(customInstructions === undefined ? {} : { customInstructions }),
  };
  try {
    if (open.how === "new") {
      const { title, ephemeral } = request;
      return await client.call("session/new", { cwd, ...asked, ephemeral, ...(title ? { title } : {}) });
    }
    const sessionId = open.how === "id" ? open.id : await newestSession(client, cwd);
    return await client.call("session/resume", { sessionId, replay: { type: "none" }, ...asked });
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new CliError(error.kind === "not_found" || error.kind === "conflict" ? "session" : "usage", error.message);
  }
}

async function newestSession(client: Client, cwd: string): Promise<string> {
  const { sessions } = await client.call("session/list", { cwd, limit: 1 });
  const [newest] = sessions;
  if (newest) return newest.sessionId;
  throw new CliError("session", `There is no session of ${cwd} to continue.`);
}
