import type { Clock, ModelRequest } from "@harness/core";
import type { Endpoint } from "../endpoint/endpoint.ts";
import type { Ports, WireEvent, WireFailure, WireProvider } from "../wire-api.ts";
import { Contact } from "./contact.ts";

const MAX_RETRIES = 4;
const BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 8_000;
/** If a server asks for a longer wait, the user decides. */
const MAX_WAIT_MS = 60_000;
/** No attempt starts later than this after the first failure. */
const TOTAL_MS = 5 * 60_000;
/** This many retries of a nearby server that may be starting take a minute. */
const STARTING_RETRIES = 11;
/** The intervals of asking a server that is loading its model or restarting: short at first, for small models. */
const LOADING_WAITS_MS = [500, 1_000, 2_000, 3_000];

/**
 * Retries failures that may be temporary. All deltas of a failed attempt are void; a consumer that has already run one
 * of its calls reads no further than `retry`. Attempts are counted per request, and `limits` is called for each.
 */
export function withRetry(
  provider: WireProvider,
  ports: Ports,
  limits?: Endpoint["limits"],
  contact = new Contact(),
): WireProvider {
  return {
    id: provider.id,
    async *stream(request: ModelRequest, signal: AbortSignal) {
      const { clock } = ports;
      let firstFailureMs: number | undefined;
      const wanted = limits?.().maxRetries;
      for (let attempt = 1; ; attempt += 1) {
        const order = { request, signal };
        const failed = yield* onceThere(provider, order, { clock, contact, mayWait: wanted !== 0 });
        if (!failed) return;
        const now = clock.monotonicMs();
        firstFailureMs ??= now;
        const allowed = 1 + (wanted ?? (failed.mayBeStarting ? STARTING_RETRIES : MAX_RETRIES));
        const maxAttempts = Math.min(failed.attempts ?? allowed, allowed);
        const random = failed.mayBeStarting ? 1 : ports.random();
        const delayMs = attempt < maxAttempts ? waitFor(failed, attempt, random) : undefined;
        if (delayMs === undefined || now + delayMs - firstFailureMs > TOTAL_MS) {
          yield lastOf(failed, attempt);
          return;
        }
        yield { type: "retry", attempt: attempt + 1, maxAttempts, delayMs, failure: failed.failure };
        await clock.sleep(delayMs, signal);
        if (signal.aborted) {
          yield { type: "end", parts: [], stop: "cut" };
          return;
        }
      }
    },
  };
}

/** One attempt, repeated while the server loads its model, or is away to restart. Returns how it failed. */
async function* onceThere(
  provider: WireProvider,
  { request, signal }: { request: ModelRequest; signal: AbortSignal },
  { clock, contact, mayWait }: { clock: Clock; contact: Contact; mayWait: boolean },
): AsyncGenerator<WireEvent, WireFailure | undefined> {
  const since = new Map<WaitPhase["phase"], number>();
  for (let attempts = 0; ; attempts += 1) {
    let failed: WireFailure | undefined;
    for await (const event of provider.stream(request, signal)) {
      // Recorded before it is passed on, because a consumer that has the end of a reply reads no further.
      if (event.type !== "failed" && event.type !== "status") contact.answered();
      if (event.type === "failed") failed = event;
      else if (since.size === 0 || event.type !== "status") yield event;
    }
    const isTurnedAway = failed?.isTurnedAway === true;
    if (failed?.wasConnected) contact.connected();
    const waiting = failed && waitingFor(failed, mayWait && contact.mayBeBack({ isTurnedAway }));
    if (failed?.awayMs === undefined) contact.answered();
    if (!failed || !waiting) return failed;
    const now = clock.monotonicMs();
    const sinceMs = since.get(waiting.phase) ?? now;
    since.set(waiting.phase, sinceMs);
    const waitMs = LOADING_WAITS_MS[Math.min(attempts, LOADING_WAITS_MS.length - 1)] ?? 0;
    if (now + waitMs - sinceMs > waiting.ms) return waitedFor(failed, waiting, now - sinceMs);
    yield { type: "status", phase: waiting.phase };
    await clock.sleep(waitMs, signal);
    if (signal.aborted) {
      yield { type: "end", parts: [], stop: "cut" };
      return undefined;
    }
  }
}

type WaitPhase = { phase: "loading" | "reconnecting"; ms: number };

/** The phase of a server that does not answer now and the time granted to it; undefined: it has failed. */
function waitingFor(failed: WireFailure, mayBeRestarting: boolean): WaitPhase | undefined {
  if (failed.parts) return undefined;
  if (failed.loadingMs !== undefined) return { phase: "loading", ms: failed.loadingMs };
  if (failed.awayMs === undefined || !mayBeRestarting) return undefined;
  return { phase: "reconnecting", ms: failed.awayMs };
}

/** A server that did not come back needs no further retries. */
function waitedFor(failed: WireFailure, { phase }: WaitPhase, ms: number): WireFailure {
  if (phase === "loading") return failed;
  const waited = `harness waited ${Math.round(ms / 1000)} s for it to come back.`;
  const message = `${sentence(failed.failure.message)} ${waited}`;
  return { ...failed, retryable: false, failure: { ...failed.failure, message } };
}

function waitFor(failed: WireFailure, attempt: number, random: number): number | undefined {
  if (!isRetryable(failed)) return undefined;
  const ceiling = Math.min(BACKOFF_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS);
  const retryAfterMs = failed.failure.retryAfterMs ?? 0;
  if (retryAfterMs > MAX_WAIT_MS) return undefined;
  return Math.max(Math.round(random * ceiling), retryAfterMs);
}

function isRetryable(failed: WireFailure): boolean {
  return failed.retryable ?? (failed.failure.kind === "network" || failed.failure.kind === "rateLimit");
}

function lastOf({ failure, parts, refusal, refusedWith, refusedFor }: WireFailure, attempts: number): WireFailure {
  const message = attempts > 1 ? `${sentence(failure.message)} Tried ${attempts} times.` : failure.message;
  return {
    type: "failed",
    failure: { ...failure, message },
    ...(parts && { parts }),
    ...(refusal && { refusal, refusedWith }),
    ...(refusedFor && { refusedFor }),
  };
}

function sentence(text: string): string {
  return /[.!?…]"?$/.test(text) ? text : `${text}.`;
}
