import type {
  Asker,
  FileLedger,
  FileStamp,
  Ids,
  Provider,
  Question,
  SessionEvent,
  SessionPorts,
  Tool,
  ToolAlias,
} from "@harness/core";
import type { Permission, PermissionOutcome } from "@harness/protocol";
import { ManualClock } from "./manual-clock.ts";
import { MemoryLog } from "./memory-log.ts";

/** Answers of a person who sits in a test. What it leaves undefined stays open until it is withdrawn. */
export class ScriptedAsker implements Asker {
  isThere = true;
  readonly permissions: Permission[] = [];
  readonly questions: Question[] = [];
  onPermission: (permission: Permission) => PermissionOutcome | Promise<PermissionOutcome> | undefined = () =>
    undefined;
  onQuestion: (question: Question) => string | undefined | Promise<string | undefined> = () => undefined;

  canAsk(): boolean {
    return this.isThere;
  }

  async askPermission(
    permission: Permission,
    signal: AbortSignal,
  ): Promise<{ outcome: PermissionOutcome; by: string }> {
    this.permissions.push(permission);
    const answer = this.onPermission(permission);
    if (answer !== undefined) return { outcome: await answer, by: "tester" };
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    return { outcome: { outcome: "cancelled" }, by: "tester" };
  }

  async askQuestion(question: Question): Promise<string | undefined> {
    this.questions.push(question);
    return await this.onQuestion(question);
  }
}

/** Everything a session emitted, and a way to wait for what it will emit. */
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

class MemoryLedger implements FileLedger {
  readonly #stamps = new Map<string, FileStamp>();
  seen(realPath: string): FileStamp | undefined {
    return this.#stamps.get(realPath);
  }
  record(realPath: string, stamp: FileStamp): void {
    this.#stamps.set(realPath, stamp);
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

export type MemoryPorts = SessionPorts & {
  log: MemoryLog;
  clock: ManualClock;
  asker: ScriptedAsker;
  events: EventList;
  reports: { error: unknown; where: string }[];
};

type MemoryOptions = {
  provider: Provider;
  tools?: readonly Tool[];
  aliases?: readonly ToolAlias[];
  log?: MemoryLog;
  windowTokens?: number;
  /** Links: a path and where it leads. */
  links?: Record<string, string>;
  ids?: Ids;
};

/** All that a session needs, in memory. */
export function memoryPorts(options: MemoryOptions): MemoryPorts {
  const { provider, tools = [], aliases = [], log = new MemoryLog(), windowTokens = 128_000, links = {} } = options;
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
    paths: { real },
    tools: { tools, aliases },
    newLedger: () => new MemoryLedger(),
    chooseModel: async () => ({
      provider,
      model: "scripted-model",
      window: { tokens: windowTokens, source: "setting" },
    }),
    workspace: async () => ({
      root: log.header.cwd,
      git: { branch: "main", changedFiles: 2 },
      entries: ["src/", "package.json"],
      moreEntries: 0,
      platform: "linux",
      shell: "bash",
    }),
    instructionFiles: async () => [],
    events,
    emit: (event) => events.take(event),
    reports,
    report: (error, where) => {
      reports.push({ error, where });
    },
  };
}
