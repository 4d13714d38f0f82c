import { dirname, join } from "node:path";
import type { SessionExtensions, SessionHeader } from "@harness/core";
import {
  ALL_STAGES,
  HookLog,
  type HookPlace,
  HookRunner,
  HookRuns,
  HookWork,
  hookEvents,
  listHooks,
  ReadEntries,
  readHookConf,
  SessionHooks,
  type SourceEntry,
  settledStamp,
  sourceFollower,
  withSteps,
} from "@harness/extensions";
import { type HookView, protocolError } from "@harness/protocol";
import type { Bootstrap } from "../bootstrap.ts";
import { ClaudeHookHost } from "./claude-hook-host.ts";

type HookHostParts = {
  base: Pick<Bootstrap, "configPaths" | "inspect" | "report" | "settings" | "sources">;
  version: string;
  now(): number;
  /** Blanks out the secrets that are known in a folder. */
  hide(cwd: string, text: string): string;
};

/** The session whose hooks these are. */
type HookSession = { header: SessionHeader; ephemeral: boolean };

const NO_GATE_HOOKS: readonly never[] = [];

/** The hooks of all folders: runs them, lists them, and knows how they ended. */
export class HookHost {
  readonly runs: HookRuns;
  /** Those in Claude's form. */
  readonly claude: ClaudeHookHost;
  readonly #parts: HookHostParts;
  readonly #confs = new ReadEntries(({ sidecar }: SourceEntry) => readHookConf(sidecar));
  readonly #runner: HookRunner;

  constructor(parts: HookHostParts) {
    const { configPaths, report } = parts.base;
    this.#parts = parts;
    this.runs = new HookRuns(join(configPaths.logs, "hooks.jsonl"), report);
    this.claude = new ClaudeHookHost({
      sources: parts.base.sources,
      runs: this.runs,
      conversations: configPaths.conversations,
      now: parts.now,
    });
    this.#runner = new HookRunner(this.#confs, this.runs, parts.now);
  }

  /** What joins a session's turns. */
  extensions(session: HookSession): SessionExtensions {
    const { sources } = this.#parts.base;
    const { cwd } = session.header;
    const place = this.#place(session);
    const hooks = new SessionHooks(
      new HookWork(this.#runner, place, () => sources.at(cwd, this.claude.providerOf(session.header))),
    );
    const own = { steps: () => hooks.steps(), callSteps: () => hooks.callSteps(), gateHooks: () => NO_GATE_HOOKS };
    const follower = [sourceFollower(() => sources.at(cwd))];
    return this.claude.extensions(session.header, place, withSteps(own, follower));
  }

  /** The names of the stages and events that hooks can be for. */
  get events(): readonly string[] {
    return [...ALL_STAGES, ...hookEvents];
  }

  list(cwd: string): HookView[] {
    return [...listHooks(this.#parts.base.sources.at(cwd), this.#confs, this.runs), ...this.claude.list(cwd)];
  }

  /** Throws `not_found` with the names that there are. */
  why(cwd: string, asked: string): { event: string; hooks: HookView[] } {
    const all = this.list(cwd);
    const wanted = asked.trim().toLowerCase();
    const names = [...new Set([...this.events, ...all.map(({ event }) => event)])];
    const event = names.find((name) => name.toLowerCase() === wanted);
    if (event !== undefined) return { event, hooks: all.filter((hook) => hook.event === event) };
    const message = `There is no stage or event ${JSON.stringify(asked.slice(0, 80))}. There are: ${names.join(", ")}.`;
    throw protocolError("not_found", message, { what: "stage", id: asked });
  }

  #place({ header, ephemeral }: HookSession): HookPlace {
    const { base, version, hide } = this.#parts;
    const { configPaths, inspect, settings, sources } = base;
    const { sessionId, cwd } = header;
    const folder = ephemeral ? undefined : join(configPaths.conversations, sessionId);
    const log = new HookLog(folder && join(folder, "hooks.log"), (text) => hide(cwd, text));
    return {
      environment: () => inspect(cwd).env,
      facts: () => ({
        version,
        root: installFolder(),
        home: configPaths.root,
        sessions: configPaths.conversations,
        session: folder,
        log: log.path,
        maxTurns: settings.live(cwd).values.max_turns,
      }),
      log,
      sessionId,
      isPrivate: ephemeral,
      isCurrent: (hook) =>
        sources
          .at(cwd)
          .of("hook")
          .some((each) => isSame(each, hook)),
    };
  }
}

/** Undefined where harness does not run from its bundle. */
function installFolder(): string | undefined {
  const [, entry = ""] = process.argv;
  return /[/\\]dist[/\\]harness\.mjs$/.test(entry) ? dirname(dirname(entry)) : undefined;
}

function isSame(one: SourceEntry, other: SourceEntry): boolean {
  return one.path === other.path && settledStamp(one) === settledStamp(other);
}
