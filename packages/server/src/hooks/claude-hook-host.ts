import { join } from "node:path";
import type { CompactionOrder, SessionExtensions, SessionHeader } from "@harness/core";
import {
  ClaudeHooks,
  type EventAnswer,
  EventRunner,
  type HookPlace,
  type HookRuns,
  joinedExtensions,
  listClaudeHooks,
  NO_ANSWER,
  SessionEvents,
  type SourceInventory,
} from "@harness/extensions";
import type { Content, HookView, SessionUpdate } from "@harness/protocol";
import { claudeCalls, claudeResponse } from "@harness/tools";
import type { LiveEntry } from "../sessions/live-entry.ts";
import type { SessionObserver } from "../sessions/session-observer.ts";

type Parts = { sources: SourceInventory; runs: HookRuns; conversations: string; now(): number };
/** `entry`: from the moment when it is open. `started`: what its hooks of the start say, once. */
type Hooked = { runner: EventRunner; cwd: string; entry?: LiveEntry; started?: Promise<EventAnswer> | undefined };

/** How long the end of a session waits for its hooks. */
const MAX_END_MS = 2_000;

/** The hooks in Claude's form of all sessions: those of turns join them, those of a session's life are run here. */
export class ClaudeHookHost implements SessionObserver {
  readonly #parts: Parts;
  readonly #hooks: ClaudeHooks;
  readonly #sessions = new Map<string, Hooked>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#hooks = new ClaudeHooks(parts.sources);
  }

  list(cwd: string): HookView[] {
    return listClaudeHooks(this.#parts.sources.at(cwd), this.#hooks.at(cwd), this.#parts.runs);
  }

  /** The extensions of a session, with those of its hooks. */
  extensions({ sessionId, cwd }: SessionHeader, place: HookPlace, others: SessionExtensions): SessionExtensions {
    const { runs, conversations, now } = this.#parts;
    const session = {
      sessionId,
      cwd,
      transcriptPath: join(conversations, sessionId, "log.jsonl"),
      permissionMode: () => this.#sessions.get(sessionId)?.entry?.session.permissionMode ?? "default",
    };
    const runner = new EventRunner({ hooks: this.#hooks, runs, place, session, nowMs: now });
    this.#sessions.set(sessionId, { runner, cwd });
    const forms = { calls: claudeCalls, response: claudeResponse };
    const events = new SessionEvents({ hooks: this.#hooks, runner, forms, cwd });
    return {
      ...joinedExtensions(others, events),
      beforeCompaction: (order) => this.#beforeCompaction(sessionId, order),
    };
  }

  /** The provider that a session was given by itself; undefined: that of its folder. */
  providerOf({ sessionId }: SessionHeader): string | undefined {
    return this.#sessions.get(sessionId)?.entry?.session.state.config.provider;
  }

  onOpened(entry: LiveEntry): void {
    const { sessionId } = entry.session;
    const hooked = this.#sessions.get(sessionId);
    if (!hooked) return;
    hooked.entry = entry;
    if (!hooked.runner.has("SessionStart")) return;
    const fields = { source: entry.isResumed ? "resume" : "startup" };
    hooked.started = hooked.runner.run({ event: "SessionStart", fields, cwd: hooked.cwd, signal: NEVER });
    void hooked.started.then((answer) => warn(entry, answer));
  }

  onFact({ sessionId, update }: SessionUpdate): void {
    if (update.sessionUpdate !== "state_update" || update.state !== "requires_action") return;
    const hooked = this.#sessions.get(sessionId);
    if (!hooked?.entry || !hooked.runner.has("Notification")) return;
    const fields = { message: "harness needs your answer", notification_type: "permission_prompt" };
    const { entry, runner, cwd } = hooked;
    void runner.run({ event: "Notification", fields, cwd, signal: NEVER }).then((answer) => warn(entry, answer));
  }

  /** Before a message of the person begins a turn. `refusal`: why it does not, as a sentence. */
  async promptSubmitted(
    sessionId: string,
    prompt: string,
    signal: AbortSignal,
  ): Promise<{ refusal: string } | { context: Content[] }> {
    const hooked = this.#sessions.get(sessionId);
    if (!hooked) return { context: [] };
    const { runner, cwd, started, entry } = hooked;
    const isHeard = runner.has("UserPromptSubmit");
    if (!started && !isHeard) return { context: [] };
    const start = (await started) ?? NO_ANSWER;
    const answer = isHeard
      ? await runner.run({ event: "UserPromptSubmit", fields: { prompt }, cwd, signal })
      : NO_ANSWER;
    if (entry) warn(entry, answer);
    const refusal = answer.block ?? answer.stop;
    if (refusal !== undefined) return { refusal: `A hook refuses the message: ${refusal}` };
    hooked.started = undefined;
    const context = [...start.context, ...answer.context];
    return { context: context.map((text) => ({ type: "text", text: `<hook>\n${text}\n</hook>` })) };
  }

  async #beforeCompaction(sessionId: string, { trigger, instructions, signal }: CompactionOrder) {
    const hooked = this.#sessions.get(sessionId);
    if (!hooked?.runner.has("PreCompact")) return undefined;
    const fields = { trigger, custom_instructions: instructions };
    const answer = await hooked.runner.run({ event: "PreCompact", fields, cwd: hooked.cwd, signal });
    if (hooked.entry) warn(hooked.entry, answer);
    const refusal = answer.block ?? answer.stop;
    return refusal === undefined ? undefined : `A hook refuses the compaction: ${refusal}`;
  }

  async onClosed(sessionId: string): Promise<void> {
    const hooked = this.#sessions.get(sessionId);
    this.#sessions.delete(sessionId);
    if (!hooked?.runner.has("SessionEnd")) return;
    const signal = AbortSignal.timeout(MAX_END_MS);
    await hooked.runner.run({ event: "SessionEnd", fields: { reason: "other" }, cwd: hooked.cwd, signal });
  }
}

/** These end by their own time limit. */
const NEVER = new AbortController().signal;

function warn({ session }: LiveEntry, { warnings, block, stop }: EventAnswer): void {
  const words = [...warnings, ...[block, stop].filter((each) => each !== undefined)];
  for (const each of words) session.warn("A hook says:", each);
}
