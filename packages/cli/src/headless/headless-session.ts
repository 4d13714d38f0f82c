import type { ClientOptions, HarnessClient, LocalServer } from "@harness/client";
import { movedSession, movedText, resumeHere } from "@harness/client/actions";
import {
  type Permission,
  type PermissionOutcome,
  ProtocolError,
  type SessionConfig,
  type SessionUpdate,
} from "@harness/protocol";
import { CliError, type Ending } from "../process/exit-codes.ts";
import { openInProcess } from "../process/open-in-process.ts";
import { waitingNotes } from "../text/waiting-notes.ts";
import type { RunRequest } from "./run-request.ts";
import { settleTrust } from "./run-trust.ts";

export type HeadlessSession = {
  client: HarnessClient;
  sessionId: string;
  cwd: string;
  /** Damage of the stored log, in words. */
  damage: string | undefined;
  config: SessionConfig;
};

export type SessionListeners = {
  onUpdate(update: SessionUpdate): void;
  /** Prints a note for the person. */
  say(text: string): void;
  /**
   * Absent: no person can be asked, so permission requests are denied. The signal aborts when the answer is no longer
   * wanted.
   */
  onPermission?: (permission: Permission, signal: AbortSignal) => Promise<PermissionOutcome>;
  /** Absent = no person can be asked: the agent decides itself. */
  onQuestion?: NonNullable<ClientOptions["onQuestion"]>;
};

const MESSAGE_CHUNK = "agent_message_chunk";
const otherChunks = ["agent_thought_chunk", "tool_input_chunk", "tool_output_chunk"];

/** Connects to the server in this process and settles the trust of the folder; throws a `CliError`. */
export async function connectHeadless(
  server: LocalServer,
  request: RunRequest,
  { onUpdate, say, onPermission, onQuestion }: SessionListeners,
): Promise<HarnessClient> {
  const client = await openInProcess(server, "harness-run", {
    onUpdate,
    notices: { "providers/waiting": waitingNotes(say) },
    optOut: ["hud", ...unwantedChunks(request)],
    ...(onPermission ? { onPermission: ({ permission }, signal) => onPermission(permission, signal) } : {}),
    ...(onQuestion ? { onQuestion } : {}),
  });
  await settleTrust(client, request, say).catch(refuse);
  return client;
}

/** Opens the session that was asked for; throws a `CliError`. */
export async function openHeadlessSession(client: HarnessClient, request: RunRequest): Promise<HeadlessSession> {
  const { session, config } = await openSession(client, request);
  return { client, sessionId: session.sessionId, cwd: session.cwd, damage: session.damage, config };
}

function unwantedChunks({ partial, streams }: RunRequest): string[] {
  if (partial) return [];
  return streams ? otherChunks : [MESSAGE_CHUNK, ...otherChunks];
}

/** Starts or resumes the session that was asked for; throws a `CliError`. */
function openSession(client: HarnessClient, request: RunRequest) {
  return startOrResume(client, request).catch(refuse);
}

async function startOrResume(client: HarnessClient, request: RunRequest) {
  const { cwd, config, rules, additionalDirectories, maxTurns, questionTimeoutMs, customInstructions, open, title } =
    request;
  const { agent, mcp, isFolderNamed } = request;
  const asked = {
    config,
    rules,
    additionalDirectories,
    mcp,
    limits: { questionTimeoutMs, ...(maxTurns ? { maxTurns } : {}) },
    ...(customInstructions === undefined ? {} : { customInstructions }),
    ...(agent === undefined ? {} : { agent }),
  };
  if (open.how === "new") {
    const { ephemeral } = request;
    // The mode that new sessions begin in is a setting for people at a window: a run is there to do the work.
    const begun = { ...asked, config: { mode: "agent" as const, ...config } };
    return client.call("session/new", { cwd, ...begun, ephemeral, ...(title ? { title } : {}) });
  }
  const wanted = open.how === "id" ? open.id : await newestSession(client, cwd);
  const params = { sessionId: wanted, replay: { type: "none" } as const, ...asked };
  const opened = await resumeHere(client, params, { cwd, isWanted: isFolderNamed });
  if ("gone" in opened) throw new CliError("session", `${opened.gone.text} ${hereText(opened.gone.sessionId)}`);
  if (title) await client.call("session/set_title", { sessionId: opened.session.sessionId, title });
  return opened;
}

async function newestSession(client: HarnessClient, cwd: string): Promise<string> {
  const { sessions, problems = [] } = await client.call("session/list", { cwd, limit: 1 });
  const [newest] = sessions;
  if (newest) return newest.sessionId;
  if (problems.length > 0) throw new CliError("failed", problems.join("\n"));
  const moved = await movedSession(client, cwd);
  if (moved?.same === "folder") return moved.session.sessionId;
  const hint = moved ? ` ${movedText(moved)} ${hereText(moved.session.sessionId)}` : "";
  throw new CliError("session", `There is no session in ${cwd} to continue.${hint}`);
}

function hereText(sessionId: string): string {
  return `To go on with it in a folder, name the folder: harness run -r ${sessionId} -C FOLDER`;
}

function refuse(error: unknown): never {
  if (!(error instanceof ProtocolError)) throw error;
  throw new CliError(endingOf(error), error.message);
}

function endingOf({ kind }: ProtocolError): Ending {
  if (kind === "not_found" || kind === "conflict" || kind === "folder_gone") return "session";
  return kind === "invalid_params" ? "usage" : "failed";
}
