import {
  type Checkpoints,
  coreToolNames,
  type Ids,
  type LoadedSession,
  type ModePrompts,
  openSession,
  type SessionLog,
  type SessionOptions,
  type ToolTable,
} from "@harness/core";
import {
  type AuditLog,
  type Clock,
  type GateSettings,
  type Paths,
  type Policies,
  type RuleTool,
  ruleTools,
} from "@harness/gate";
import {
  type CallParams,
  type FactKind,
  protocolError,
  type ServerMethods,
  type SessionUpdate,
  type Settings,
} from "@harness/protocol";
import { createFileLedger, createShellGrammar, type Sandbox } from "@harness/tools";
import type { HudPublisher } from "../hud/hud-publisher.ts";
import type { ModelCatalog } from "../models/model-catalog.ts";
import { readInstructionFiles } from "../workspace/instruction-files.ts";
import { readWorkspaceFacts } from "../workspace/workspace-facts.ts";
import { ClientRequests } from "./client-requests.ts";
import { createAnnouncer, type LiveEntry } from "./live-entry.ts";
import { Subscribers } from "./subscribers.ts";

export type LiveSessionsParts = {
  clock: Clock;
  ids: Ids;
  paths: Paths;
  models: ModelCatalog;
  hud: HudPublisher;
  /** Where the global instruction file lies. */
  configFolder: string;
  home: string;
  /** Does a file lie in a folder that brings code or settings and that nobody isTrusted for? */
  isUntrusted(cwd: string, file: string): boolean;
  /** Of a session that is stored, or leaves nothing behind. */
  modePromptsFor(isStored: boolean): ModePrompts;
  /** `of`: the session's; absent: the table is looked at and not used. */
  toolsFor(cwd: string, of?: SessionOf): ToolTable;
  /** A sandbox for one session; starts nothing before it is needed. */
  sandboxFor(cwd: string, options: SessionOptions): Sandbox;
  policiesFor(cwd: string): Policies;
  audit: AuditLog;
  /** `roots`: folders whose files are kept, the session's first. */
  checkpointsFor(cwd: string, roots: () => readonly string[]): Checkpoints;
  /** As the settings of a folder are now. */
  gateSettings(cwd: string): GateSettings;
  report(error: unknown, where: string): void;
  /** Sees every fact once it is out. */
  onFact(update: SessionUpdate): void;
  /** The list of sessions is not what it was. */
  onListChange(): void;
};

/** What a session's tools depend on besides its folder. */
export type SessionOf = { rules: SessionOptions["rules"]; sandbox: Sandbox };

/** Facts that change what the head-up display shows, besides those of calls that may have changed files. */
const shownInHud: ReadonlySet<string> = new Set([
  "agent_message",
  "compaction_update",
  "state_update",
  "config_option_update",
  "queue_update",
] satisfies FactKind[]);

/** The sessions that are in memory. */
export class LiveSessions {
  readonly #parts: LiveSessionsParts;
  readonly #entries = new Map<string, LiveEntry>();
  /** One for all; costs nothing before a command asks for it. */
  readonly #grammar = createShellGrammar();

  constructor(parts: LiveSessionsParts) {
    this.#parts = parts;
  }

  get(sessionId: string): LiveEntry | undefined {
    return this.#entries.get(sessionId);
  }

  /** A session that is in memory; `not_found` otherwise. */
  need(sessionId: string): LiveEntry {
    const entry = this.#entries.get(sessionId);
    if (entry) return entry;
    throw protocolError(
      "not_found",
      `Session ${sessionId} is not open. Open it with session/resume, or start one with session/new.`,
      { what: "session", id: sessionId },
    );
  }

  /** What rules may name. */
  ruleTools(): RuleTool[] {
    return ruleTools(this.#parts.toolsFor(this.#parts.home).tools, coreToolNames);
  }

  all(): LiveEntry[] {
    return [...this.#entries.values()];
  }

  /** Rules, settings or trust have changed: questions that need no person any more are withdrawn. */
  judgeAnew(): void {
    for (const { session } of this.#entries.values()) session.judgeAnew();
  }

  /** Puts a session to work on its log. */
  start(
    log: SessionLog,
    options: SessionOptions,
    { config, additionalDirectories: more = [], ephemeral = false }: AskedOfSession & { ephemeral?: boolean },
  ): LiveEntry {
    const parts = this.#parts;
    const { sessionId, cwd } = log.header;
    const subscribers = new Subscribers();
    const questions = new ClientRequests(sessionId, subscribers.clients);
    const announce = createAnnouncer(sessionId, subscribers, (update) => this.#afterFact(update));
    const sandbox = parts.sandboxFor(cwd, options);
    const gateSettings = () => withFolders(parts.gateSettings(cwd), more);
    const session = openSession(
      {
        log,
        runtime: { clock: parts.clock, ids: parts.ids, report: parts.report },
        gate: {
          asker: questions,
          paths: parts.paths,
          policies: parts.policiesFor(cwd),
          audit: parts.audit,
          grammar: this.#grammar,
          sandbox,
          gateSettings,
        },
        tools: parts.toolsFor(cwd, { rules: options.rules, sandbox }),
        files: {
          newLedger: createFileLedger,
          // What leaves nothing behind keeps no files either.
          checkpoints: ephemeral
            ? undefined
            : parts.checkpointsFor(cwd, () => [cwd, ...gateSettings().additionalDirectories]),
        },
        requests: {
          chooseModel: (wanted) => parts.models.choose(cwd, wanted),
          workspace: () => readWorkspaceFacts(cwd),
          instructionFiles: () =>
            readInstructionFiles(cwd, { ...parts, isUntrusted: (file) => parts.isUntrusted(cwd, file) }),
          modePrompts: parts.modePromptsFor(!ephemeral),
        },
        emit: announce,
      },
      options,
    );
    const entry: LiveEntry = { session, log, subscribers, questions, sandbox, damage: options.loaded?.damage };
    this.#entries.set(sessionId, entry);
    if (config && Object.keys(config).length > 0) session.setConfig(config);
    // "auto" was said for the run that said it: who opens the session again has to say it again.
    if (session.permissionMode !== options.permissionMode)
      session.setConfig({ permissionMode: options.permissionMode });
    parts.hud.add(entry);
    if (sandbox.wanted !== "off") void sandbox.ready().then(() => parts.hud.refresh(sessionId));
    return entry;
  }

  async close(sessionId: string, graceMs: number): Promise<void> {
    const entry = this.#entries.get(sessionId);
    if (!entry) return;
    await entry.session.close(graceMs);
    entry.sandbox.close();
    this.#parts.hud.remove(sessionId);
    this.#entries.delete(sessionId);
    this.#parts.onListChange();
  }

  async closeAll(graceMs: number): Promise<void> {
    await Promise.all(this.all().map(({ session }) => this.close(session.sessionId, graceMs)));
  }

  #afterFact(fact: SessionUpdate): void {
    const { sessionId, update } = fact;
    this.#parts.onFact(fact);
    const { sessionUpdate: kind } = update;
    const hasRun = kind === "tool_call_update" && "outcome" in update && update.outcome !== undefined;
    const filesChanged = hasRun || kind === "rewind_update";
    if (filesChanged || shownInHud.has(kind)) this.#parts.hud.refresh(sessionId, { filesChanged });
    if (kind === "state_update" || kind === "session_info_update") this.#parts.onListChange();
  }
}

/** The folders of the settings, and those that a client asked for besides. */
function withFolders(settings: GateSettings, more: readonly string[]): GateSettings {
  if (more.length === 0) return settings;
  return { ...settings, additionalDirectories: [...settings.additionalDirectories, ...more] };
}

/** What a client may ask of a session it starts or opens. */
export type AskedOfSession = Pick<
  CallParams<ServerMethods, "session/new">,
  "config" | "rules" | "limits" | "customInstructions" | "additionalDirectories"
>;

/** What a session starts with, from settings and from the request that opens it. */
export function sessionOptions(
  values: Pick<
    Settings,
    | "permission_mode"
    | "preferred_mode"
    | "max_turns"
    | "max_tool_calls"
    | "custom_instructions"
    | "auto_compact_enabled"
  >,
  asked: AskedOfSession,
  loaded?: LoadedSession,
): SessionOptions {
  return {
    permissionMode: asked.config?.permissionMode ?? values.permission_mode,
    mode: asked.config?.mode ?? values.preferred_mode,
    rules: { allow: asked.rules?.allow ?? [], deny: asked.rules?.deny ?? [] },
    limits: {
      maxTurns: asked.limits?.maxTurns ?? values.max_turns,
      maxToolCalls: values.max_tool_calls,
      ...(asked.limits?.questionTimeoutMs === undefined ? {} : { questionTimeoutMs: asked.limits.questionTimeoutMs }),
    },
    customInstructions: asked.customInstructions ?? values.custom_instructions,
    autoCompact: values.auto_compact_enabled,
    ...(loaded ? { loaded } : {}),
  };
}
