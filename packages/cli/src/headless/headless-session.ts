import {
  type ClientOptions,
  type HarnessClient,
  type LocalServer,
  movedText,
  newestSession,
  type Session,
} from "@harness/client";
import { type Permission, type PermissionOutcome, ProtocolError, type SessionUpdate } from "@harness/protocol";
import { CliError, type ExitReason } from "../process/exit-codes.ts";
import { openInProcess } from "../process/open-in-process.ts";
import { waitingNotes } from "../text/waiting-notes.ts";
import type { RunRequest } from "./run-request.ts";
import { settleTrust } from "./run-trust.ts";

export type SessionListeners = {
  onUpdate(update: SessionUpdate): void;
  /** Prints a note for the user. */
  say(text: string): void;
  /**
   * Absent if nobody can be asked, so that permission requests are denied. The signal aborts when the answer is no
   * longer wanted.
   */
  onPermission?: (permission: Permission, signal: AbortSignal) => Promise<PermissionOutcome>;
  /** Absent if nobody can be asked: the agent decides itself. */
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

/** Creates or opens the requested session; throws a `CliError`. */
export function openHeadlessSession(session: Session, client: HarnessClient, request: RunRequest) {
  return beginOrResume(session, client, request).catch(refuse);
}

function unwantedChunks({ partial, streams }: RunRequest): string[] {
  if (partial) return [];
  return streams ? otherChunks : [MESSAGE_CHUNK, ...otherChunks];
}

async function beginOrResume(session: Session, client: HarnessClient, request: RunRequest) {
  const { cwd, config, open, title, fork } = request;
  // The mode of new sessions is a setting for users of the window: a run is there to do the work.
  if (open.how === "new") return await session.begin({ mode: "agent", ...config });
  const wanted = open.how === "id" ? open.id : await newestId(client, cwd);
  const opened = await session.resume(wanted, { config, replay: "none", fork });
  if ("gone" in opened) throw new CliError("session", `${opened.gone.text} ${hereText(opened.gone.sessionId)}`);
  if (title) await session.rename(title);
  return opened;
}

async function newestId(client: HarnessClient, cwd: string): Promise<string> {
  const { newest, moved, problems } = await newestSession(client, cwd);
  if (newest) return newest.sessionId;
  if (problems.length > 0) throw new CliError("failed", problems.join("\n"));
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

function endingOf({ kind }: ProtocolError): ExitReason {
  if (kind === "not_found" || kind === "conflict" || kind === "folder_gone") return "session";
  return kind === "invalid_params" ? "usage" : "failed";
}
