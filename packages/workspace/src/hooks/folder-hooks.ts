import { dirname, join } from "node:path";
import {
  type LogLocation,
  type SessionExtensions,
  type SessionHeader,
  type Step,
  StepError,
  type Turn,
} from "@harness/core";
import {
  type HookAnswer,
  type HookEntry,
  HookLog,
  type HookRunOptions,
  HookWork,
  hookEvents,
  type JsonObject,
  joinedArrays,
  listHooks,
  SessionHooks,
  type SourceEntry,
  settledStamp,
  sourceFollower,
  withSteps,
} from "@harness/extensions";
import { type HookView, hookStages, protocolError } from "@harness/protocol";
import type { Redactor } from "@harness/storage";
import type { EnvironmentCommand } from "../environment/environment-command.ts";
import type { FolderSettings } from "../settings/folder-settings.ts";
import type { FolderSources } from "../sources/folder-sources.ts";
import type { FolderTrust } from "../trust/folder-trust.ts";
import type { HookHost } from "./hook-host.ts";
import { waitingForJudges } from "./lapsed-judges.ts";
import { OuterHooks } from "./outer-hooks.ts";

type HookFolderOptions = {
  settings: FolderSettings;
  trust: FolderTrust;
  sources: FolderSources;
  environmentCommand: EnvironmentCommand;
  /** Knows the folder's current secrets. */
  redactor(): Redactor;
};

/** The session of these hooks. */
type HookSession = { header: SessionHeader; location: LogLocation | undefined };

/** The names of all stages and events with hooks. */
const hookNames: readonly string[] = [...hookStages, ...hookEvents];

/** The hooks of a folder: runs and lists them, and records how they ended. */
export class FolderHooks {
  /** Hooks of the stages outside turns. */
  readonly outer: OuterHooks;
  readonly #folder: string;
  readonly #host: HookHost;
  readonly #options: HookFolderOptions;

  constructor(folder: string, host: HookHost, options: HookFolderOptions) {
    this.#folder = folder;
    this.#host = host;
    this.#options = options;
    this.outer = new OuterHooks({
      sources: options.sources,
      run: (about, hook, input) => this.#runOuter(about, hook, input),
    });
  }

  /** The extensions of a session's turns. */
  extensions(session: HookSession): SessionExtensions {
    const { sources, trust } = this.#options;
    const { claude, runner } = this.#host;
    const place = this.#placeOf(session);
    const hooks = new SessionHooks(new HookWork(runner, place, () => sources.of(claude.providerOf(session.header))));
    const stages = {
      steps: () => hooks.steps(),
      callSteps: () => hooks.callSteps(),
      gateHooks: joinedArrays(
        () => hooks.gateHooks(),
        waitingForJudges(() => trust.lapsedJudges()),
      ),
    };
    const afterSources = withSteps(stages, [this.#sourcesStep()]);
    const own = { ...stages, steps: () => (this.outer.hasSources ? afterSources : stages).steps() };
    const follower = [sourceFollower(() => sources.current)];
    return claude.extensions(session, place, withSteps(own, follower));
  }

  list(): HookView[] {
    const { confs, runs, claude } = this.#host;
    return [...listHooks(this.#options.sources.current, confs, runs), ...claude.list(this.#folder)];
  }

  /** Throws `not_found` with the existing names. */
  why(eventName: string): { event: string; hooks: HookView[] } {
    const all = this.list();
    const wanted = eventName.trim().toLowerCase();
    const names = [...new Set([...hookNames, ...all.map(({ event }) => event)])];
    const event = names.find((name) => name.toLowerCase() === wanted);
    if (event !== undefined) return { event, hooks: all.filter((hook) => hook.event === event) };
    const message = `There is no stage or event ${JSON.stringify(eventName.slice(0, 80))}. There are: ${names.join(", ")}.`;
    throw protocolError("not_found", message, { what: "stage", id: eventName });
  }

  #placeOf({ header, location }: HookSession): HookRunOptions {
    const { sessionId } = header;
    const folder = location?.folder;
    const log = new HookLog(folder && join(folder, "hooks.log"), (text) => this.#options.redactor().hide(text));
    return { ...this.#place(log, folder), sessionId, isPrivate: location === undefined };
  }

  /** A turn first waits for the hooks that select its sources. */
  #sourcesStep(): Step<Turn> {
    const { sources } = this.#options;
    return {
      stage: "start",
      name: "00-sources",
      run: async (state) => {
        const problem = await this.outer.lookForSources({ found: sources.found, provider: nonBlank(sources.provider) });
        if (problem !== undefined) throw new StepError(problem);
        sources.forgetMoment();
        return state;
      },
    };
  }

  #runOuter(
    about: { provider?: string | undefined; model?: string | undefined },
    hook: HookEntry,
    input: JsonObject,
  ): Promise<HookAnswer> {
    const folders = this.#options.sources.current.sources.map(({ folder }) => folder);
    const facts = { sources: folders, provider: about.provider, model: about.model };
    // Only a time limit ends them: there is no session yet that could be cancelled.
    const { signal } = new AbortController();
    const place = { ...this.#place(this.#host.log, undefined), sessionId: undefined, isPrivate: false };
    return this.#host.runner.run({ hook, input, cwd: this.#folder, signal, facts }, place);
  }

  /** `folder`: the session's. */
  #place(log: HookLog, folder: string | undefined): Omit<HookRunOptions, "isPrivate" | "sessionId"> {
    const { settings, sources, environmentCommand } = this.#options;
    const facts = { ...this.#host.facts, ...(folder && { sessions: dirname(folder) }) };
    return {
      environment: () => settings.environment.env,
      folderVariables: (cwd) => environmentCommand.forPrograms(cwd),
      facts: () => ({ ...facts, session: folder, log: log.path, maxTurns: settings.values.max_turns }),
      log,
      // A session may have its own provider, so the folder's choice must not exclude its hooks.
      isCurrent: (hook) => sources.current.entries.some((each) => each.needsTrust !== true && isSame(each, hook)),
    };
  }
}

function nonBlank(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

function isSame(one: SourceEntry, other: SourceEntry): boolean {
  return one.path === other.path && settledStamp(one) === settledStamp(other);
}
