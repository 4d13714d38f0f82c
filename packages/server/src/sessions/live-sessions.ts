import {
  type Clock,
  type Ids,
  type LoadedSession,
  openSession,
  type Paths,
  type SessionLog,
  type SessionOptions,
  type ToolTable,
} from "@harness/core";
import {
  type CallParams,
  protocolError,
  type ServerMethods,
  type SessionConfig,
  type SessionUpdate,
} from "@harness/protocol";
import { createFileLedger } from "@harness/tools";
import type { ModelDesk } from "../models/model-desk.ts";
import type { HudBoard } from "../workspace/hud-board.ts";
import { readInstructionFiles } from "../workspace/instruction-files.ts";
import { readWorkspaceFacts } from "../workspace/workspace-facts.ts";
import { createAnnouncer, type LiveEntry } from "./live-entry.ts";
import { Questions } from "./questions.ts";
import { Subscribers } from "./subscribers.ts";

export type LiveSessionsParts = {
  clock: Clock;
  ids: Ids;
  paths: Paths;
  models: ModelDesk;
  hud: HudBoard;
  /** Where the global instruction file lies. */
  configFolder: string;
  home: string;
  toolsFor(cwd: string): ToolTable;
  report(error: unknown, where: string): void;
  /** Sees every fact once it is out. */
  onFact(update: SessionUpdate): void;
  /** The list of sessions is not what it was. */
  onListChange(): void;
};

/** The sessions that are in memory. */
export class LiveSessions {
  private readonly parts: LiveSessionsParts;
  private readonly entries = new Map<string, LiveEntry>();

  constructor(parts: LiveSessionsParts) {
    this.parts = parts;
  }

  get(sessionId: string): LiveEntry | undefined {
    return this.entries.get(sessionId);
  }

  /** A session that is in memory; `not_found` otherwise. */
  need(sessionId: string): LiveEntry {
    const entry = this.entries.get(sessionId);
    if (entry) return entry;
    throw protocolError(
      "not_found",
      `Session ${sessionId} is not open. Open it with session/resume, or start one with session/new.`,
      { what: "session", id: sessionId },
    );
  }

  /** What rules may name. */
  toolNames(): string[] {
    return [...this.parts.toolsFor(this.parts.home).tools.map(({ name }) => name), "start_subagent", "tool_search"];
  }

  all(): LiveEntry[] {
    return [...this.entries.values()];
  }

  /** Puts a session to work on its log. */
  start(log: SessionLog, options: SessionOptions, config: SessionConfig | undefined): LiveEntry {
    const { parts } = this;
    const { sessionId, cwd } = log.header;
    const subscribers = new Subscribers();
    const questions = new Questions(sessionId, subscribers.clients);
    const announce = createAnnouncer(sessionId, subscribers, (update) => this.afterFact(update));
    const session = openSession(
      {
        log,
        clock: parts.clock,
        ids: parts.ids,
        asker: questions,
        paths: parts.paths,
        tools: parts.toolsFor(cwd),
        newLedger: createFileLedger,
        chooseModel: (wanted) => parts.models.choose(cwd, wanted),
        workspace: () => readWorkspaceFacts(cwd),
        instructionFiles: () => readInstructionFiles(cwd, parts.configFolder, parts.home),
        emit: announce,
        report: parts.report,
      },
      options,
    );
    const entry: LiveEntry = { session, log, subscribers, questions, damage: options.loaded?.damage };
    this.entries.set(sessionId, entry);
    if (config && Object.keys(config).length > 0) session.setConfig(config);
    // "auto" was said for the run that said it: who opens the session again has to say it again.
    if (session.permissionMode !== options.permissionMode)
      session.setConfig({ permissionMode: options.permissionMode });
    parts.hud.add(entry);
    return entry;
  }

  async close(sessionId: string, graceMs: number): Promise<void> {
    const entry = this.entries.get(sessionId);
    if (!entry) return;
    await entry.session.close(graceMs);
    this.parts.hud.remove(sessionId);
    this.entries.delete(sessionId);
    this.parts.onListChange();
  }

  async closeAll(graceMs: number): Promise<void> {
    await Promise.all(this.all().map(({ session }) => this.close(session.sessionId, graceMs)));
  }

  private afterFact(fact: SessionUpdate): void {
    const { sessionId, update } = fact;
    this.parts.onFact(fact);
    const { sessionUpdate: kind } = update;
    const changesFiles = kind === "tool_call_update" && "outcome" in update && update.outcome !== undefined;
    if (changesFiles || kind === "agent_message" || kind === "compaction_update")
      this.parts.hud.refresh(sessionId, changesFiles);
    if (kind === "state_update" || kind === "config_option_update" || kind === "queue_update")
      this.parts.hud.refresh(sessionId, false);
    if (kind === "state_update" || kind === "session_info_update") this.parts.onListChange();
  }
}

/** What a client may ask of a session it starts or opens. */
export type AskedOfSession = Pick<
  CallParams<ServerMethods, "session/new">,
  "config" | "rules" | "limits" | "customInstructions"
>;

/** What a session starts with, from settings and from the request that opens it. */
export function sessionOptions(
  values: {
    permission_mode: SessionOptions["permissionMode"];
    max_turns: number;
    max_tool_calls: number;
    tool_timeout_ms: number;
    custom_instructions: string;
    auto_compact_enabled: boolean;
  },
  asked: AskedOfSession,
  loaded?: LoadedSession,
): SessionOptions {
  return {
    permissionMode: asked.config?.permissionMode ?? values.permission_mode,
    rules: { allow: asked.rules?.allow ?? [], deny: asked.rules?.deny ?? [] },
    limits: {
      maxTurns: asked.limits?.maxTurns ?? values.max_turns,
      maxToolCalls: values.max_tool_calls,
      toolTimeoutMs: values.tool_timeout_ms,
    },
    customInstructions: asked.customInstructions ?? values.custom_instructions,
    autoCompact: values.auto_compact_enabled,
    ...(loaded ? { loaded } : {}),
  };
}
