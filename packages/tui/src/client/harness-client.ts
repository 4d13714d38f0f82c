import type {
  CallParams,
  ClientMethods,
  ClientNotifications,
  Hud,
  Permission,
  PermissionOutcome,
  Result,
  ServerMethods,
  SessionUpdate,
} from "@harness/protocol";
import type { Note } from "../state/app-state.ts";
import type { Question } from "../state/cards.ts";

export type QuestionAnswer = Result<ClientMethods, "elicitation/create">;

/** What the window hears from a server. A signal aborts when the answer is not wanted any more. */
export type ServerEvents = {
  onUpdate(update: SessionUpdate): void;
  onHud(sessionId: string, hud: Hud): void;
  onPermission(sessionId: string, permission: Permission, signal: AbortSignal): Promise<PermissionOutcome>;
  onQuestion(question: Question, signal: AbortSignal): Promise<QuestionAnswer>;
  onSettingsChanged(): void;
  /** A probe of `models/doctor` has ended. */
  onProbe(probe: CallParams<ClientNotifications, "models/probe">): void;
  onLogin(update: CallParams<ClientNotifications, "auth/login_update">): void;
  onSessionsChanged(): void;
  /** The server is gone; comes once, and not after `close`. */
  onLost(reason: string): void;
};

/** The part of a client that the window uses: one connection, from its opening to its loss. */
export type HarnessClient = {
  /** Rejects with a `ProtocolError`. The signal gives the call up. */
  call<M extends keyof ServerMethods & string>(
    method: M,
    params: CallParams<ServerMethods, M>,
    options?: { signal?: AbortSignal },
  ): Promise<Result<ServerMethods, M>>;
  /** Ends the server in order. Never rejects. */
  close(): Promise<void>;
};

/** Starts or reaches a server. Rejects with an error whose message is for people. */
export type ConnectServer = (events: ServerEvents) => Promise<HarnessClient>;

/** Monotonic milliseconds and one-shot timers; tests hand in their own. */
export type Clock = { now(): number; after(ms: number, run: () => void): () => void };

export const wallClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** The words of whatever was thrown. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What went wrong with something a person asked for. */
export function noteOf(what: string, error: unknown): Note {
  return { severity: "error", text: `${what}: ${wordsOf(error)}` };
}

/** Did the call end because the connection did? Then the same call is worth repeating on the next one. */
export function isLost(error: unknown): boolean {
  return kindOf(error) === "closed";
}

/** Did the server refuse because another one works on the session? */
export function isHeld(error: unknown): boolean {
  return kindOf(error) === "conflict";
}

function kindOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "kind" in error ? error.kind : undefined;
}
