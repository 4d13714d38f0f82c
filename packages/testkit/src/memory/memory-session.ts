import {
  type AgentLimits,
  type LiveSession,
  NO_CALL_STEPS,
  openSession,
  type SessionExtensions,
  type SessionOptions,
  type SessionValues,
  type Step,
  type Tool,
  type Turn,
  withoutResult,
} from "@harness/core";
import type { GateHook } from "@harness/gate";
import {
  applyUpdate,
  type Delivery,
  emptySession,
  type Fact,
  type FactKind,
  fold,
  type SessionState,
  type UpdateOf,
} from "@harness/protocol";
import { MemoryLog } from "./memory-log.ts";
import { type MemoryPorts, memoryPorts, sessionPorts } from "./memory-ports.ts";
import { memoryTools } from "./memory-tools.ts";
import { type Script, type ScriptedEvent, ScriptedProvider } from "./scripted-provider.ts";

/** The default limits of subagents, without a budget. */
export const usualAgentLimits: AgentLimits = {
  maxDepth: 4,
  maxAtOnce: 8,
  maxInSession: 32,
  maxInServer: 128,
  maxStarts: 500,
  budget: {},
};

type SessionSetup = {
  script: Script | ScriptedEvent[][];
  tools?: readonly Tool[];
  /** The log of an earlier session. */
  log?: MemoryLog;
  ports?: Partial<MemoryPorts>;
  options?: Partial<SessionOptions & SessionValues>;
  contextWindow?: number;
  steps?: readonly Step<Turn>[];
  gateHooks?: readonly GateHook[];
  /** Replaces these two. */
  extensions?: SessionExtensions;
};

/** A session over memory ports, with helpers for tests. */
export class MemorySession {
  readonly session: LiveSession;
  readonly ports: MemoryPorts;
  readonly provider: ScriptedProvider;
  /** The settings that the session follows; a test replaces them. */
  values: SessionValues;
  #prompts = 0;
  /** Prompt ids are unique over all lives of a session. */
  readonly #life: string;

  constructor({
    script,
    tools = memoryTools(),
    log = new MemoryLog(),
    contextWindow,
    ports,
    options,
    steps = [],
    gateHooks = [],
    extensions = { steps: () => steps, callSteps: () => NO_CALL_STEPS, gateHooks: () => gateHooks },
  }: SessionSetup) {
    this.#life = log.lines.length > 0 ? `after${log.lines.length}-` : "";
    this.provider = new ScriptedProvider(script);
    const made = memoryPorts({ provider: this.provider, tools, log, ...(contextWindow ? { contextWindow } : {}) });
    this.ports = { ...made, ...ports };
    this.values = {
      permission_mode: "allow-all",
      limits: { maxTurns: 100, maxToolCalls: 50 },
      agentLimits: usualAgentLimits,
      custom_instructions: "",
      project_md_files: [],
      repository_map: "auto",
      auto_compact_enabled: true,
      working_context: true,
      extract_files_above: 0,
      compact_trigger: 80,
      compact_target: 40,
      compact_strategy: "summary",
      fallback_models: [],
      max_daily_usd: 0,
      compact_model: "",
      title_model: "",
      recall_sessions: "off",
      toolLimits: { resultChars: {}, runMs: {} },
      ...options,
    };
    const defaults: SessionOptions = {
      mode: "agent",
      rules: { allow: [], deny: [] },
      values: () => this.values,
      ...(log.lines.length > 0 ? { loaded: log.loaded } : {}),
    };
    this.session = openSession(sessionPorts(this.ports), { ...defaults, ...options }, extensions);
  }

  get log(): MemoryLog {
    return this.ports.log;
  }

  /** Sends a message and waits until everything is idle. */
  async say(text: string, delivery: Delivery = "start"): Promise<void> {
    this.prompt(text, delivery);
    await this.session.idle();
  }

  prompt(text: string, delivery: Delivery = "start") {
    this.#prompts += 1;
    return this.session.prompt(`${this.#life}p${this.#prompts}`, [{ type: "text", text }], delivery);
  }

  /** Resolves when this many requests were sent to the model. */
  untilRequests(count: number): Promise<void> {
    return this.provider.untilRequests(count);
  }

  /** Stored facts of a kind, of all agents. */
  facts<K extends FactKind>(kind: K): UpdateOf<K>[] {
    return this.log.facts
      .map((fact) => fact.update)
      .filter((update): update is UpdateOf<K> => update.sessionUpdate === kind);
  }

  /** Resolves when such a fact is announced, or already was. */
  async untilFact(wanted: (fact: Fact, agentId: string) => boolean): Promise<void> {
    await this.ports.events.until((event) => "stored" in event && wanted(event.stored.update, event.stored.agentId));
  }

  /**
   * The state without its count of changes and the texts of results: the log, the session and a client must agree on
   * it.
   */
  get states(): { live: SessionState; folded: SessionState; client: SessionState } {
    const { sessionId } = this.session;
    const client = emptySession(sessionId);
    for (const event of this.ports.events.all) {
      if ("stored" in event) applyUpdate(client, { sessionId, ...withoutResult(event.stored) });
      else if ("unstored" in event) applyUpdate(client, { sessionId, agentId: event.agentId, update: event.unstored });
      else applyUpdate(client, { sessionId, agentId: event.agentId, update: event.delta });
    }
    const plain = (state: SessionState): SessionState => ({ ...state, version: 0 });
    const folded = fold(sessionId, this.log.facts.map(withoutResult));
    return { live: plain(this.session.state), folded: plain(folded), client: plain(client) };
  }
}
