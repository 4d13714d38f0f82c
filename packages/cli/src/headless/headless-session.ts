import { existsSync } from "node:fs";
import type { ClientOptions, HarnessClient, LocalServer } from "@harness/client";
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

/** Of the sessions that may have been in this folder under another name. */
const MAX_LOOKED_AT = 200;

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
   * Absent = no person can be asked, so permission requests are denied. The signal aborts when no answer is wanted any
   * more.
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
  const { agent, mcp } = request;
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
  if (open.how === "id") await needFolder(client, wanted);
  const opened = await client.call("session/resume", { sessionId: wanted, replay: { type: "none" }, ...asked });
  if (title) await client.call("session/set_title", { sessionId: opened.session.sessionId, title });
  return opened;
}

async function newestSession(client: HarnessClient, cwd: string): Promise<string> {
  const { sessions, problems = [] } = await client.call("session/list", { cwd, limit: 1 });
  const [newest] = sessions;
  if (newest) return newest.sessionId;
  if (problems.length > 0) throw new CliError("failed", problems.join("\n"));
  const moved = await movedSession(client);
  const hint = moved === undefined ? "" : ` ${movedText(moved, cwd)}`;
  throw new CliError("session", `There is no session in ${cwd} to continue.${hint}`);
}

/** A session works in its folder: where that is gone, tools would look for files in the wrong place. */
async function needFolder(client: HarnessClient, wanted: string): Promise<void> {
  const { session } = await client.call("session/get", { sessionId: wanted });
  if (session.cwd === "" || existsSync(session.cwd)) return;
  const { sessionId, cwd } = session;
  throw new CliError(
    "session",
    `The folder of session ${sessionId} is gone: ${cwd} does not exist. Move it back, or link it to where it is now: ${linkText("FOLDER", cwd)}`,
  );
}

/** The newest session whose folder is gone: the folder may have been renamed. */
async function movedSession(client: HarnessClient) {
  const { sessions } = await client.call("session/list", { limit: MAX_LOOKED_AT });
  return sessions.find(({ cwd }) => cwd !== "" && !existsSync(cwd));
}

function movedText({ sessionId, cwd: before }: { sessionId: string; cwd: string }, cwd: string): string {
  return `Session ${sessionId} was in ${before}, which does not exist any more. If it was moved here: ${linkText(cwd, before)} and then harness -r ${sessionId}`;
}

function linkText(to: string, from: string): string {
  return `ln -s ${quoted(to)} ${quoted(from)}`;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function refuse(error: unknown): never {
  if (!(error instanceof ProtocolError)) throw error;
  throw new CliError(endingOf(error), error.message);
}

function endingOf({ kind }: ProtocolError): Ending {
  if (kind === "not_found" || kind === "conflict") return "session";
  return kind === "invalid_params" ? "usage" : "failed";
}
