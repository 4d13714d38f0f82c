import { dirname, join } from "node:path";
import { type SessionExtensions, type SessionHeader, type Step, StepError, type Turn } from "@harness/core";
import {
  type HookAnswer,
  type HookEntry,
  HookLog,
  HookRunner,
  type HookRunOptions,
  HookRuns,
  HookWork,
  hookEvents,
  type JsonObject,
  joinedArrays,
  listHooks,
  ReadEntries,
  readHookConf,
  SessionHooks,
  type SourceEntry,
  settledStamp,
  sourceFollower,
  withSteps,
} from "@harness/extensions";
import { type HookView, hookStages, protocolError } from "@harness/protocol";
import type { Redactor } from "@harness/storage";
import type { Bootstrap } from "../bootstrap.ts";
import { ClaudeHookHost } from "./claude-hook-host.ts";
import { waitingForJudges } from "./lapsed-judges.ts";
import { OuterHooks } from "./outer-hooks.ts";

type HookHostDeps = {
  base: Pick<Bootstrap, "configPaths" | "inspect" | "machine" | "report" | "settings" | "sources" | "trust">;
  version: string;
  now(): number;
  /** With the secrets that are known in a folder. */
  redactor(cwd: string): Redactor;
  /** What a folder adds to the environment of programs; `of`: that of the session, of which it may be a worktree. */
  folderVariables(cwd: string, of: string): Promise<Readonly<Record<string, string | null>>>;
};

/** The session whose hooks these are. */
type HookSession = { header: SessionHeader; ephemeral: boolean };

/** The hooks of all folders: runs them, lists them, and knows how they ended. */
export class HookHost {
  readonly runs: HookRuns;
  /** Those in Claude's form. */
  readonly claude: ClaudeHookHost;
  readonly #deps: HookHostDeps;
  readonly #confs = new ReadEntries(({ sidecar }: SourceEntry) => readHookConf(sidecar));
  readonly #runner: HookRunner;
  readonly outer: OuterHooks;

  constructor(deps: HookHostDeps) {
    const { configPaths, report, sources } = deps.base;
    this.#deps = deps;
    this.runs = new HookRuns(join(configPaths.logs, "hooks.jsonl"), report);
    this.claude = new ClaudeHookHost({
      sources: deps.base.sources,
      runs: this.runs,
      conversations: configPaths.conversations,
      now: deps.now,
    });
    this.#runner = new HookRunner(this.#confs, this.runs, deps.now);
    const log = new HookLog(join(configPaths.logs, "hooks.log"), (text) =>
      deps.redactor(deps.base.machine.cwd).hide(text),
    );
    sources.chooseBy({
      folders: (cwd) => this.outer.sourcesOf(cwd),
      isScoped: (cwd) => this.outer.scopesSources(cwd),
    });
    this.outer = new OuterHooks({
      inventory: (cwd) => sources.at(cwd),
      run: (cwd, about, hook, input) => this.#runOuter(cwd, about, { hook, input }, log),
    });
  }

  /** What joins a session's turns. */
  extensions(session: HookSession): SessionExtensions {
    const { sources } = this.#deps.base;
    const { cwd } = session.header;
    const place = this.#place(session);
    const hooks = new SessionHooks(
      new HookWork(this.#runner, place, () => sources.at(cwd, this.claude.providerOf(session.header))),
    );
    const stages = {
      steps: () => hooks.steps(),
      callSteps: () => hooks.callSteps(),
      gateHooks: joinedArrays(
        () => hooks.gateHooks(),
        waitingForJudges(() => this.#deps.base.trust.lapsedJudges(cwd)),
      ),
    };
    const afterSources = withSteps(stages, [this.#sourcesStep(cwd)]);
    const own = { ...stages, steps: () => (this.outer.hasSources(cwd) ? afterSources : stages).steps() };
    const follower = [sourceFollower(() => sources.at(cwd))];
    return this.claude.extensions(session.header, place, withSteps(own, follower));
  }

  /** The names of the stages and events that hooks can be for. */
  get events(): readonly string[] {
    return [...hookStages, ...hookEvents];
  }

  list(cwd: string): HookView[] {
    return [...listHooks(this.#deps.base.sources.at(cwd), this.#confs, this.runs), ...this.claude.list(cwd)];
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

  #place({ header, ephemeral }: HookSession): HookRunOptions {
    const { configPaths } = this.#deps.base;
    const { sessionId, cwd } = header;
    const folder = ephemeral ? undefined : join(configPaths.conversations, sessionId);
    const log = new HookLog(folder && join(folder, "hooks.log"), (text) => this.#deps.redactor(cwd).hide(text));
    return { ...this.#placeAt(cwd, log, folder), sessionId, isPrivate: ephemeral };
  }

  /** Before anything else a turn waits for the hooks that say which sources there are. */
  #sourcesStep(cwd: string): Step<Turn> {
    const { sources } = this.#deps.base;
    return {
      stage: "start",
      name: "00-sources",
      run: async (state) => {
        const provider = filled(sources.providerOf(cwd));
        const problem = await this.outer.lookForSources(cwd, { found: sources.found(cwd), provider });
        if (problem !== undefined) throw new StepError(problem);
        sources.forgetMoment();
        return state;
      },
    };
  }

  #runOuter(
    cwd: string,
    about: { provider?: string | undefined; model?: string | undefined },
    { hook, input }: { hook: HookEntry; input: JsonObject },
    log: HookLog,
  ): Promise<HookAnswer> {
    const folders = this.#deps.base.sources.at(cwd).sources.map(({ folder }) => folder);
    const facts = { sources: folders, provider: about.provider, model: about.model };
    // Nothing waits for them but a limit of time: no session is there yet that could be cancelled.
    const { signal } = new AbortController();
    const place = { ...this.#placeAt(cwd, log, undefined), sessionId: undefined, isPrivate: false };
    return this.#runner.run({ hook, input, cwd, signal, facts }, place);
  }

  #placeAt(cwd: string, log: HookLog, folder: string | undefined): Omit<HookRunOptions, "isPrivate" | "sessionId"> {
    const { base, version, folderVariables } = this.#deps;
    const { configPaths, inspect, settings, sources } = base;
    return {
      environment: () => inspect(cwd).env,
      folderVariables: (at) => folderVariables(at, cwd),
      facts: () => ({
        version,
        root: installFolder(),
        home: configPaths.seedHome,
        config: configPaths.root,
        sessions: configPaths.conversations,
        session: folder,
        log: log.path,
        maxTurns: settings.live(cwd).values.max_turns,
      }),
      log,
      // Which provider is chosen for the folder is no reason to leave out what a session has found for its own.
      isCurrent: (hook) => sources.at(cwd).entries.some((each) => each.needsTrust !== true && isSame(each, hook)),
    };
  }
}

function filled(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

/** Undefined where harness does not run from its bundle. */
function installFolder(): string | undefined {
  const [, entry = ""] = process.argv;
  return /[/\\]dist[/\\]harness\.mjs$/.test(entry) ? dirname(dirname(entry)) : undefined;
}

function isSame(one: SourceEntry, other: SourceEntry): boolean {
  return one.path === other.path && settledStamp(one) === settledStamp(other);
}
