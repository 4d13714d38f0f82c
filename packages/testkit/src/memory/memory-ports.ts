import {
  AgentMeter,
  type Checkpoints,
  type EditChecks,
  type Ids,
  type LiveTools,
  type Provider,
  type RequestSources,
  type ReviewFiles,
  type SessionEvent,
  type SessionPorts,
  type Tool,
  type ToolAlias,
  type ToolTable,
  type UnsavedBuffers,
} from "@harness/core";
import type {
  AuditDecision,
  AuditEnd,
  GatePorts,
  GateSettings,
  KeptRule,
  Policies,
  PolicyRule,
  PolicySet,
} from "@harness/gate";
import { ManualClock } from "./manual-clock.ts";
import { MemoryLog } from "./memory-log.ts";
import { ScriptedAsker } from "./scripted-asker.ts";

/** Everything a session emitted, and a way to wait for future events. */
export class EventList {
  readonly all: SessionEvent[] = [];
  #waiting: { wanted: (event: SessionEvent) => boolean; resolve: (event: SessionEvent) => void }[] = [];

  take(event: SessionEvent): void {
    this.all.push(event);
    const met = this.#waiting.filter(({ wanted }) => wanted(event));
    this.#waiting = this.#waiting.filter((each) => !met.includes(each));
    for (const { resolve } of met) resolve(event);
  }

  /** The first such event from the start, or the next one. */
  until(wanted: (event: SessionEvent) => boolean): Promise<SessionEvent> {
    const known = this.all.find(wanted);
    if (known) return Promise.resolve(known);
    return new Promise((resolve) => {
      this.#waiting.push({ wanted, resolve });
    });
  }
}

function countingIds(): Ids {
  const counts = new Map<string, number>();
  return {
    next(kind) {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      return `${kind}-${count}`;
    },
  };
}

/** Policies set by a test, and stored ones. */
export class MemoryPolicies implements Policies {
  set: PolicySet = { rules: [], problems: [], everythingAsks: false, version: "0" };
  /** Why nothing can be stored. */
  full: string | undefined;

  current(): PolicySet {
    return this.set;
  }

  keep(rules: readonly PolicyRule[]): { kept: KeptRule[] } | { problem: string } {
    if (this.full !== undefined) return { problem: this.full };
    const kept = rules.map(
      (rule, index): KeptRule => ({
        ruleId: `kept-${this.set.rules.length + index + 1}`,
        rule,
        scope: "project",
        path: "/policies.json",
      }),
    );
    this.set = { ...this.set, rules: [...this.set.rules, ...kept], version: `${this.set.version}+` };
    return { kept };
  }
}

/** Decisions, in order. */
export class MemoryAudit {
  readonly decisions: AuditDecision[] = [];
  readonly ends: AuditEnd[] = [];
  /** False if it accepts nothing more. */
  works = true;

  decided(decision: AuditDecision): boolean {
    if (this.works) this.decisions.push(decision);
    return this.works;
  }

  failure(): string | undefined {
    return this.works ? undefined : "/home/audit.jsonl: the disk is full, ENOSPC";
  }

  ended(end: AuditEnd): void {
    if (this.works) this.ends.push(end);
  }
}

/** The default settings of the gate. */
export function usualGateSettings(): GateSettings {
  return {
    strict: false,
    autoAcceptSafeCommands: true,
    safeCommandPrefixes: null,
    deniedCommandPrefixes: [],
    additionalDirectories: [],
    checkpoints: true,
  };
}

/** All ports of a session, side by side: tests replace the ones they are about. */
export type MemoryPorts = Omit<GatePorts, "checkpoints" | "runtime"> &
  RequestSources & {
    log: MemoryLog;
    clock: ManualClock;
    ids: Ids;
    asker: ScriptedAsker;
    policies: MemoryPolicies;
    audit: MemoryAudit;
    tools: ToolTable;
    /** Awaited before each request. */
    prepareTools: LiveTools["prepare"];
    checkpoints?: Checkpoints;
    /** Absent if the person has no editor. */
    buffers?: UnsavedBuffers;
    /** Absent if nothing can be staged. */
    review?: ReviewFiles;
    changedSince: SessionPorts["files"]["changedSince"];
    /** Absent if nothing checks edits. */
    editChecks?: EditChecks;
    /** Absent if agents cannot look into other sessions. */
    sessions?: SessionPorts["sessions"];
    events: EventList;
    /** Shared by sessions of one server. */
    agentMeter: AgentMeter;
    emit(event: SessionEvent): void;
    reports: { error: unknown; where: string }[];
  };

const noReview: ReviewFiles = {
  outlasts: false,
  draft: async () => ({ hunks: [], preview: [], outdated: [], decide: () => [] }),
  apply: async () => undefined,
};

/** The ports in the form that a session takes. Parts that a test replaces later take effect. */
export function sessionPorts(ports: MemoryPorts): SessionPorts {
  const { log, clock, ids, asker, paths, policies, audit, grammar, sandbox, checkpoints } = ports;
  return {
    log,
    runtime: {
      clock,
      ids,
      pace: () => Promise.resolve(),
      agentMeter: ports.agentMeter,
      report: (error, where) => ports.reports.push({ error, where }),
    },
    gate: {
      asker,
      paths,
      policies,
      audit,
      gateSettings: () => ports.gateSettings(),
      ...(grammar ? { grammar } : {}),
      ...(sandbox ? { sandbox } : {}),
    },
    tools: {
      prepare: (moment) => ports.prepareTools(moment),
      current: () => ports.tools,
      forRules: () => ports.tools.tools,
    },
    files: {
      review: ports.review ?? noReview,
      buffers: ports.buffers,
      checkpoints,
      worktrees: undefined,
      endProcesses: async () => [],
      editChecks: ports.editChecks,
      changedSince: (path, seen) => ports.changedSince(path, seen),
    },
    requests: {
      chooseModel: (config) => ports.chooseModel(config),
      workspace: () => ports.workspace(),
      instructionFiles: (named) => ports.instructionFiles(named),
      instructionsBelow: (folders, cwd) => ports.instructionsBelow(folders, cwd),
      pinnedFile: (file) => ports.pinnedFile(file),
      promptFragments: () => ports.promptFragments(),
      repositoryMap: () => ports.repositoryMap(),
      today: () => ports.today(),
      spentToday: () => ports.spentToday(),
      modePrompts: ports.modePrompts,
      agents: () => ports.agents(),
      skills: { list: () => ports.skills.list(), load: (name, args) => ports.skills.load(name, args) },
      watchSent: (from) => ports.watchSent(from),
      watchBeside: (from) => ports.watchBeside(from),
    },
    sessions: ports.sessions,
    emit: (event) => ports.emit(event),
  };
}

type MemoryOptions = {
  provider: Provider;
  tools?: readonly Tool[];
  aliases?: readonly ToolAlias[];
  log?: MemoryLog;
  contextWindow?: number;
  /** Links: a path and its target. */
  links?: Record<string, string>;
  ids?: Ids;
};

export function memoryPorts(options: MemoryOptions): MemoryPorts {
  const { provider, tools = [], aliases = [], log = new MemoryLog(), contextWindow = 128_000, links = {} } = options;
  const events = new EventList();
  const reports: MemoryPorts["reports"] = [];
  const real = (path: string): string => {
    for (const [from, to] of Object.entries(links)) {
      if (path === from || path.startsWith(`${from}/`)) return real(to + path.slice(from.length));
    }
    return path;
  };
  return {
    log,
    clock: new ManualClock(),
    ids: options.ids ?? countingIds(),
    asker: new ScriptedAsker(),
    policies: new MemoryPolicies(),
    audit: new MemoryAudit(),
    gateSettings: usualGateSettings,
    paths: { real },
    tools: { tools, aliases },
    prepareTools: () => undefined,
    watchSent: () => () => undefined,
    watchBeside: () => () => undefined,
    chooseModel: async () => ({
      provider,
      model: "scripted-model",
      contextWindow: { tokens: contextWindow, source: "setting" },
    }),
    workspace: async () => ({
      root: log.header.cwd,
      git: { branch: "main", changedFiles: 2 },
      entries: ["src/", "package.json"],
      moreEntries: 0,
      platform: "linux",
      shell: "bash",
      temporaryFolder: "/tmp",
    }),
    instructionFiles: async () => [],
    instructionsBelow: async () => [],
    pinnedFile: async () => ({ problem: "is not there" }),
    promptFragments: async () => [],
    repositoryMap: async () => [],
    changedSince: async () => "same",
    today: () => "",
    spentToday: () => 0,
    modePrompts: { read: async () => undefined },
    agents: () => [],
    skills: { list: () => [], load: (name) => ({ problem: `There is no skill ${name}.` }) },
    events,
    agentMeter: new AgentMeter(),
    emit: (event) => events.take(event),
    reports,
  };
}
