import type { CompactionOptions, LiveSession, LogLocation, SessionExtensions, SessionHeader } from "@harness/core";
import {
  ClaudeHookEvents,
  ClaudeHooks,
  type EventAnswer,
  EventRunner,
  type HookRunOptions,
  type HookRuns,
  joinedExtensions,
  listClaudeHooks,
  type SourceInventory,
} from "@harness/extensions";
import {
  type Content,
  type HookView,
  ROOT_AGENT,
  type SessionUpdate,
  taggedText,
  type UpdateView,
} from "@harness/protocol";
import { claudeCalls, claudeResponse } from "@harness/tools";
import { IdleWait } from "./idle-wait.ts";

/** An open session, as far as its hooks need it. */
type HookedSession = {
  readonly session: Pick<LiveSession, "sessionId" | "state" | "permissionMode" | "mode" | "warn">;
  readonly isResumed: boolean;
};

type ClaudeHookHostDeps = { sources: Pick<SourceInventory, "at">; runs: HookRuns; now(): number };
/** `entry`: set once it is open. `starts`: undelivered answers of its start hooks. */
type HookedEntry = {
  runner: EventRunner;
  cwd: string;
  entry?: HookedSession;
  starts: Promise<EventAnswer>[];
  idle: IdleWait;
};

/** How long the end of a session waits for its hooks. */
const MAX_END_MS = 2_000;

/** The Claude-style hooks of all sessions: turn hooks become part of the turns, session hooks run here. */
export class ClaudeHookHost implements UpdateView {
  readonly #deps: ClaudeHookHostDeps;
  readonly #hooks: ClaudeHooks;
  readonly #sessions = new Map<string, HookedEntry>();

  constructor(deps: ClaudeHookHostDeps) {
    this.#deps = deps;
    this.#hooks = new ClaudeHooks(deps.sources);
  }

  list(cwd: string): HookView[] {
    return listClaudeHooks(this.#deps.sources.at(cwd), this.#hooks.at(cwd), this.#deps.runs);
  }

  /** The extensions of a session, with its hooks. */
  extensions(
    { header: { sessionId, cwd }, location }: { header: SessionHeader; location: LogLocation | undefined },
    options: HookRunOptions,
    others: SessionExtensions,
  ): SessionExtensions {
    const { runs, now } = this.#deps;
    const session = {
      sessionId,
      cwd,
      transcriptPath: location?.log ?? "",
      permissionMode: () => this.#sessions.get(sessionId)?.entry?.session.permissionMode ?? "default",
      mode: () => this.#sessions.get(sessionId)?.entry?.session.mode ?? "agent",
    };
    const runner = new EventRunner({ hooks: this.#hooks, runs, place: options, session, nowMs: now });
    const idle = new IdleWait(() => this.#notify(hooked, "idle_prompt", "harness is waiting for your input"));
    const hooked: HookedEntry = { runner, cwd, starts: [], idle };
    this.#sessions.set(sessionId, hooked);
    const forms = { calls: claudeCalls, response: claudeResponse };
    const startContext = () => this.#startContext(hooked);
    const events = new ClaudeHookEvents({ hooks: this.#hooks, runner, forms, cwd, startContext });
    return {
      ...joinedExtensions(others, events),
      beforeCompaction: (order) => this.#beforeCompaction(sessionId, order),
    };
  }

  /** The session's own provider; undefined: the folder's. */
  providerOf({ sessionId }: SessionHeader): string | undefined {
    return this.#sessions.get(sessionId)?.entry?.session.state.config.provider;
  }

  onOpened(entry: HookedSession): void {
    const { sessionId } = entry.session;
    const hooked = this.#sessions.get(sessionId);
    if (!hooked) return;
    hooked.entry = entry;
    this.#start(hooked, entry.isResumed ? "resume" : "startup");
  }

  see({ sessionId, agentId, update }: SessionUpdate): void {
    const hooked = this.#sessions.get(sessionId);
    if (!hooked?.entry) return;
    const isMain = agentId === ROOT_AGENT;
    if (update.sessionUpdate === "compaction_update" && isMain) this.#start(hooked, "compact");
    if (update.sessionUpdate !== "state_update") return;
    if (update.state === "requires_action") this.#notify(hooked, "permission_prompt", "harness needs your answer");
    if (isMain) hooked.idle.update(update.state === "idle" && hooked.runner.has("Notification"));
  }

  /**
   * The hooks' answer before a message of the user is accepted, whatever its origin. `refusal`: why it is refused, as a
   * sentence.
   */
  async promptSubmitted(
    sessionId: string,
    prompt: string,
    signal: AbortSignal,
  ): Promise<{ refusal: string } | { context: Content[] }> {
    const hooked = this.#sessions.get(sessionId);
    if (!hooked) return { context: [] };
    const { runner, cwd, entry } = hooked;
    if (runner.has("UserPromptSubmit")) {
      const answer = await runner.run({ event: "UserPromptSubmit", fields: { prompt }, cwd, signal });
      if (entry) warn(entry, answer);
      const refusal = answer.block ?? answer.stop;
      if (refusal !== undefined) return { refusal: `A hook refused the message: ${refusal}` };
      return { context: [...(await this.#startContext(hooked)), ...contentOf(answer)] };
    }
    return { context: await this.#startContext(hooked) };
  }

  /** Runs the start hooks; the agent gets their output with the next message, or in the continuing turn. */
  #start(hooked: HookedEntry, source: "startup" | "resume" | "compact"): void {
    const { runner, cwd, entry } = hooked;
    if (!runner.has("SessionStart")) return;
    const answer = runner.run({ event: "SessionStart", fields: { source }, cwd, signal: NEVER });
    hooked.starts.push(answer);
    if (entry) void answer.then((result) => warn(entry, result));
  }

  /** Each answer is given to the agent once. */
  async #startContext({ starts }: HookedEntry): Promise<Content[]> {
    if (starts.length === 0) return [];
    const answers = await Promise.all(starts.splice(0));
    return answers.flatMap(contentOf);
  }

  #notify({ runner, cwd, entry }: HookedEntry, type: "permission_prompt" | "idle_prompt", message: string): void {
    if (!runner.has("Notification")) return;
    const fields = { message, notification_type: type };
    void runner.run({ event: "Notification", fields, cwd, signal: NEVER }).then((answer) => {
      if (entry) warn(entry, answer);
    });
  }

  async #beforeCompaction(sessionId: string, { trigger, instructions, signal }: CompactionOptions) {
    const hooked = this.#sessions.get(sessionId);
    if (!hooked?.runner.has("PreCompact")) return undefined;
    const fields = { trigger, custom_instructions: instructions };
    const answer = await hooked.runner.run({ event: "PreCompact", fields, cwd: hooked.cwd, signal });
    if (hooked.entry) warn(hooked.entry, answer);
    const refusal = answer.block ?? answer.stop;
    return refusal === undefined ? undefined : `A hook refused the compaction: ${refusal}`;
  }

  async onClosed(sessionId: string): Promise<void> {
    const hooked = this.#sessions.get(sessionId);
    this.#sessions.delete(sessionId);
    hooked?.idle.end();
    if (!hooked?.runner.has("SessionEnd")) return;
    const signal = AbortSignal.timeout(MAX_END_MS);
    await hooked.runner.run({ event: "SessionEnd", fields: { reason: "other" }, cwd: hooked.cwd, signal });
  }
}

/** These are only ended by their own time limit. */
const NEVER = new AbortController().signal;

function contentOf({ context }: EventAnswer): Content[] {
  return context.map((text) => ({ type: "text", text: taggedText("hook", "", text) }));
}

function warn({ session }: HookedSession, { warnings, block, stop }: EventAnswer): void {
  const words = [...warnings, ...[block, stop].filter((each) => each !== undefined)];
  for (const each of words) session.warn("A hook says:", each);
}
