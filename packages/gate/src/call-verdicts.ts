import type { AgentMode, Effect, PermissionMode } from "@harness/protocol";
import type { Grant } from "./answers/grant.ts";
import type { SessionGrants } from "./answers/session-grants.ts";
import { type CommandReadings, wantsGrammar } from "./command/command-view.ts";
import { cancellable } from "./concurrency/cancellable.ts";
import { type Evaluation, type EvaluationOptions, evaluateCall, resolveCall } from "./evaluate-call.ts";
import type { GateCall, Requester } from "./gate-call.ts";
import { type GuardedWrite, guardedWrites } from "./guarded-writes.ts";
import { type GateHook, type HookObjection, hookObjection } from "./hooks/gate-hook.ts";
import { withPaths } from "./places/path-reads.ts";
import { type MovedRoot, RootLedger } from "./places/root-ledger.ts";
import type { GatePorts } from "./ports/gate-ports.ts";
import type { GateSettings } from "./ports/gate-settings.ts";
import type { KnownPaths } from "./ports/paths.ts";
import type { ResolvedEffect } from "./resolved-effect.ts";
import type { ActiveRules } from "./rules/active-rules.ts";
import { hidingRules } from "./rules/hidden-files.ts";
import type { Rule } from "./rules/rule.ts";
import type { TurnRules } from "./rules/turn-rules.ts";
import type { SecretReads } from "./secret-reads.ts";

/** The current modes: the session's, and those that each of its agents gets from them. */
export type SessionModes = {
  session(): { permission: PermissionMode; agent: AgentMode };
  permission(agentId: string): PermissionMode;
  /** Why the agent's mode does not offer the tool, for the model; undefined: it does. */
  refusal(call: GateCall): string | undefined;
};

/** Rules and answers in addition to those in force. */
export type More = { readonly rules: readonly Rule[]; readonly grants: readonly Grant[] };
const NOTHING_MORE: More = { rules: [], grants: [] };

/** The number of files whose places are resolved together. */
const AT_ONCE = 500;

/** Before links are resolved, each path stands for itself. */
const unknownPaths: KnownPaths = { real: (path) => path };

/** The session state that every verdict needs. */
type VerdictDeps = {
  ports: GatePorts;
  modes: SessionModes;
  hooks(): readonly GateHook[];
  rules: ActiveRules;
  turnRules: TurnRules;
  grants: SessionGrants;
  secretReads: SecretReads;
};

/** Evaluates the calls of a session against its current state, with links as they were last resolved. */
export class CallVerdicts {
  readonly #known: VerdictDeps;
  readonly #roots: RootLedger;
  /** The resolved paths of calls that are being decided. */
  readonly #paths = new WeakMap<GateCall, KnownPaths>();
  readonly #readings: CommandReadings = new WeakMap();
  /** Objections of hooks to calls that are being decided. */
  readonly #objections = new WeakMap<GateCall, HookObjection>();
  /** Calls that could not be written to the audit log: the user must allow them. */
  readonly #unaudited = new WeakSet<GateCall>();
  readonly #reported = new Set<string>();

  constructor(known: VerdictDeps) {
    this.#known = known;
    this.#roots = new RootLedger(known.ports.paths, this.#folders(known.ports.gateSettings()));
  }

  /** Records that the call could not be written to the audit log. */
  unaudited(call: GateCall): void {
    this.#unaudited.add(call);
  }

  /** Resolves when the targets of the workspace's folders are known. Never rejects. */
  get rootsNoted(): Promise<unknown> {
    return this.#roots.noted;
  }

  /** Workspace folders that lead to a different place now. */
  async movedRoots(settings = this.#known.ports.gateSettings()): Promise<readonly MovedRoot[]> {
    await this.#roots.look(this.#folders(settings));
    return this.#roots.moved;
  }

  /** Records that the user meant these places. */
  acceptRoots(moved: readonly MovedRoot[]): void {
    this.#roots.accept(moved);
  }

  /** Evaluates the call with links resolved again. */
  async look(call: GateCall, requester: Requester, settings?: GateSettings): Promise<Evaluation> {
    return this.now(call, requester, await this.lookUp(call, requester, settings));
  }

  /** Resolves the call's links for later evaluations. Asynchronous, so that a slow file system blocks nothing else. */
  async lookUp(call: GateCall, requester: Requester, settings = this.#known.ports.gateSettings()): Promise<KnownPaths> {
    const { paths } = this.#known.ports;
    // The settings decide where to look, and are read again for the decision.
    const { known } = await withPaths(paths, requester.signal, (each) =>
      resolveCall(call, this.#place(requester, each, settings)),
    );
    this.#paths.set(call, known);
    // After the paths, so that a folder that moved before they were resolved is noticed.
    for (const { path, before, now } of await this.movedRoots(settings)) {
      const title = "A folder of the workspace now leads somewhere else.";
      const until = "No file there is touched until you confirm that this is intended.";
      const was = before === path ? "not a link" : `a link to ${before}`;
      this.#report(requester, title, `${path} now leads to ${now.real}; before, it was ${was}. ${until}`);
    }
    return known;
  }

  /** A file written through a link counts as guarded: the paths are meant as written. */
  async guardedWrites(paths: readonly string[], signal: AbortSignal): Promise<GuardedWrite[]> {
    const { ports, rules } = this.#known;
    const settings = ports.gateSettings();
    const guarded: GuardedWrite[] = [];
    for (let at = 0; at < paths.length; at += AT_ONCE) {
      const effects = paths.slice(at, at + AT_ONCE).map((path): Effect => ({ kind: "write", path }));
      const { value } = await withPaths(ports.paths, signal, (known) => {
        const place = { cwd: ports.log.header.cwd, paths: known, grammar: ports.grammar, settings };
        const { roots, resolved } = resolveCall({ effects }, place);
        const surroundings = { roots, rules: rules.inForce(settings).rules };
        return resolved.map((each) => guardOf(each, surroundings));
      });
      guarded.push(...value.flatMap((guard, index) => (guard ? [{ ...guard, path: paths[at + index] ?? "" }] : [])));
    }
    return guarded;
  }

  /** The first evaluation, after waiting for everything that the final decision depends on. */
  async first(call: GateCall, requester: Requester): Promise<Evaluation> {
    const settings = this.#known.ports.gateSettings();
    this.#reportProblems(requester, settings);
    const first = await this.look(call, requester, settings);
    const waiting = this.#prepare(call, requester, first);
    if (waiting === undefined) return first;
    await waiting;
    return await this.look(call, requester);
  }

  /** The same in advance; undefined if hooks decide as well: they are asked once, at the proper time. */
  async withoutHooks(call: GateCall, requester: Requester): Promise<Evaluation | undefined> {
    return this.#known.hooks().length > 0 ? undefined : await this.first(call, requester);
  }

  /** Evaluates the call as if it had the effects of `other`, in the same places. */
  alike(call: GateCall, other: GateCall, requester: Requester): Evaluation {
    return this.now(other, requester, this.#paths.get(call));
  }

  /** True if the same call would run unasked with these added. An answer that does not hold is not worth offering. */
  allowsWith(call: GateCall, requester: Requester, more: More): boolean {
    const paths = this.#paths.get(call) ?? unknownPaths;
    return this.now(call, requester, paths, more).verdict.decision === "allow";
  }

  /** `paths`: by default as last resolved. */
  now(
    call: GateCall,
    requester: Requester,
    paths = this.#paths.get(call) ?? unknownPaths,
    more: More = NOTHING_MORE,
  ): Evaluation {
    const { ports, modes, turnRules, grants, secretReads } = this.#known;
    const { sandbox, asker, audit } = ports;
    const place = this.#place(requester, paths);
    const { rules, everythingAsks } = this.#known.rules.inForce(place.settings);
    const failure = audit.failure();
    const unaudited = `the audit log cannot be written${failure ? ` (${failure})` : ""}, so harness asks about every call`;
    const objection = this.#objections.get(call);
    const hookDenies = objection && "deny" in objection ? objection.deny : undefined;
    const hookAsks = objection && "ask" in objection ? objection.ask : undefined;
    return evaluateCall(call, {
      ...place,
      sandbox,
      permissionMode: modes.permission(call.agentId),
      notOffered: modes.refusal(call),
      rules: concat(concat(rules, turnRules.of(call.agentId)), more.rules),
      grants: concat(grants.for(requester), more.grants),
      everythingAsks: this.#unaudited.has(call) ? unaudited : (everythingAsks ?? hookAsks),
      hookDenial: paths.isTooMany ? "names more paths than one call may have" : (call.refusal ?? hookDenies),
      movedRoots: this.#roots.moved,
      sawSecret: secretReads.saw,
      canAsk: asker.canAsk(),
    });
  }

  #place({ workspace }: Requester, paths: KnownPaths, wide = this.#known.ports.gateSettings()): EvaluationOptions {
    const { log, grammar } = this.#known.ports;
    return {
      cwd: workspace ?? log.header.cwd,
      ...(log.savedTexts && { savedTexts: log.savedTexts }),
      paths,
      grammar,
      readings: this.#readings,
      hidesFiles: hidingRules(this.#known.rules.inForce(wide).rules).length > 0,
      settings: workspace === undefined ? wide : { ...wide, additionalDirectories: [] },
    };
  }

  /** Reports problems and advice with the first call, because no client listens while a session is being opened. */
  #reportProblems(requester: Requester, settings: GateSettings): void {
    for (const description of this.#known.rules.inForce(settings).problems) {
      this.#report(requester, "A permission rule is not in force.", description);
    }
    const advice = this.#known.ports.policies.advice?.();
    if (advice) this.#report(requester, advice.title, advice.description);
  }

  #report(requester: Requester, title: string, description: string): void {
    if (this.#reported.has(description)) return;
    this.#reported.add(description);
    requester.record({ sessionUpdate: "notice", severity: "warning", title, description });
  }

  #folders({ additionalDirectories }: GateSettings): string[] {
    return [this.#known.ports.log.header.cwd, ...additionalDirectories];
  }

  /** Waits for everything that the final decision depends on; undefined: it is all known. */
  #prepare(call: GateCall, requester: Requester, { verdict }: Evaluation): Promise<unknown> | undefined {
    const { grammar, sandbox, runtime } = this.#known.ports;
    const { by } = verdict;
    if (by === "rule" && verdict.decision === "deny") return undefined;
    if (by === "agent mode") return undefined;
    const commands = call.effects.flatMap((effect) => (effect.kind === "run" ? [effect] : []));
    const waits: Promise<unknown>[] = [];
    if (commands.length > 0 && by !== "reader" && by !== "setting") {
      if (sandbox && sandbox.wanted !== "off") waits.push(sandbox.ready());
      if (grammar && commands.some(wantsGrammar)) waits.push(grammar.load());
    }
    const hooks = this.#known.hooks();
    if (hooks.length > 0) {
      const { agentId, signal } = requester;
      const { toolCallId, tool, category, title, effects } = call;
      const hooked = { agentId, toolCallId, tool, category, title, effects };
      waits.push(hookObjection(hooks, hooked, signal, runtime.clock).then((found) => this.#hear(call, found)));
    }
    return waits.length === 0 ? undefined : cancellable(Promise.all(waits), requester.signal, () => []);
  }

  #hear(call: GateCall, objection: HookObjection | undefined): void {
    if (objection === undefined) this.#objections.delete(call);
    else this.#objections.set(call, objection);
  }
}

function guardOf(
  resolved: ResolvedEffect,
  surroundings: Parameters<typeof guardedWrites>[2],
): GuardedWrite | undefined {
  const [guard] = guardedWrites("write", [resolved], surroundings);
  const { effect, realPath } = resolved;
  if (guard || effect.kind !== "write" || realPath === effect.path) return guard;
  return { path: effect.path, reason: `writes through a link to ${realPath}`, by: "place" };
}

/** Returns the same array if there is nothing to add. */
function concat<T>(some: readonly T[], others: readonly T[]): readonly T[] {
  return others.length === 0 ? some : [...some, ...others];
}
