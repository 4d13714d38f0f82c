import type { Effect, PermissionMode } from "@harness/protocol";
import type { Grant } from "./answers/grant.ts";
import { type Approval, approvalFor } from "./approval.ts";
import { type CommandReadings, type CommandViewOptions, viewCommand } from "./command/command-view.ts";
import { decide, type Verdict } from "./decide.ts";
import { describeDecider } from "./describe-decider.ts";
import type { GateCall } from "./gate-call.ts";
import { isWithin, relativeTo } from "./places/path-place.ts";
import { isRepositoryPart } from "./places/repository-part.ts";
import type { MovedRoot } from "./places/root-ledger.ts";
import type { GateSettings } from "./ports/gate-settings.ts";
import type { KnownPaths } from "./ports/paths.ts";
import type { SandboxView } from "./ports/sandbox.ts";
import type { ShellGrammar } from "./ports/shell-grammar.ts";
import type { ResolvedEffect } from "./resolved-effect.ts";
import { hiddenFiles } from "./rules/hidden-files.ts";
import type { Rule } from "./rules/rule.ts";

/** The circumstances that decide what a call's effects mean. */
export type EvaluationOptions = {
  cwd: string;
  paths: KnownPaths;
  /** The folder of the session's saved texts. Absent: there is none. */
  savedTexts?: readonly string[];
  grammar: ShellGrammar | undefined;
  /** Command texts that were read before. Absent: each is read again. */
  readings?: CommandReadings;
  settings: GateSettings;
  /** True if rules hide files. Absent: none does. */
  hidesFiles?: boolean;
};

/** Everything that an evaluation depends on apart from the call. */
export type Circumstances = EvaluationOptions & {
  /** Workspace folders that lead to a different place now. Absent: none. */
  movedRoots?: readonly MovedRoot[];
  sandbox: SandboxView | undefined;
  permissionMode: PermissionMode;
  /** Why the agent mode does not offer the tool; undefined: it does. */
  notOffered: string | undefined;
  rules: readonly Rule[];
  grants: readonly Grant[];
  everythingAsks: string | undefined;
  hookDenial: string | undefined;
  sawSecret: boolean;
  canAsk: boolean;
};

/** `approval`: the terms on which the call runs, if it may. */
export type Evaluation = { verdict: Verdict; approval: Approval };

type ResolvedCall = { roots: readonly string[]; resolved: ResolvedEffect[]; readable: readonly string[] };

/** Resolves links and reads commands, and so asks for every path that an evaluation of the call depends on. */
export function resolveCall(call: Pick<GateCall, "effects">, options: EvaluationOptions): ResolvedCall {
  const { cwd, paths, settings } = options;
  const places = [cwd, ...settings.additionalDirectories].map((path) => ({ path, real: paths.real(path) }));
  const roots = [...new Set(places.map(({ real }) => real))];
  const resolved = call.effects.map((effect) => resolveEffect(effect, places, roots, options));
  // Their targets only matter for reads outside the workspace.
  const reads = resolved.flatMap(readPaths);
  const isElsewhere = reads.some((path) => !roots.some((root) => isWithin(path, root)));
  const saved = isElsewhere && options.savedTexts ? options.savedTexts.map((folder) => paths.real(folder)) : [];
  return { roots, resolved, readable: [...saved, ...(settings.readableFolders ?? [])] };
}

function readPaths({ effect, realPath, command }: ResolvedEffect): string[] {
  if (effect.kind === "read") return [realPath ?? effect.path];
  return command?.reads?.map((each) => each.realPath) ?? [];
}

/** Resolves links, reads commands and decides, based on the current state. */
export function evaluateCall(call: GateCall, circumstances: Circumstances): Evaluation {
  const { settings, sandbox, notOffered, permissionMode } = circumstances;
  const { roots, resolved, readable } = resolveCall(call, circumstances);
  const isActive = sandbox?.active === true;
  const { rules, grants, everythingAsks, hookDenial, sawSecret, canAsk } = circumstances;
  const verdict = decide({
    tool: call.tool,
    category: call.category,
    effects: resolved,
    roots,
    readable,
    strict: settings.strict,
    acceptsReaders: settings.autoAcceptSafeCommands,
    ...(settings.runFiles ? { runFiles: settings.runFiles } : {}),
    sawSecret,
    permissionMode,
    rules,
    grants,
    everythingAsks,
    notOffered,
    hookDenial,
    sandbox: { wanted: sandbox?.wanted ?? "off", active: isActive, why: sandbox?.why },
    canAsk,
    foundInText: call.foundInText,
    isStaged: call.isStaged === true,
    movedRoots: circumstances.movedRoots ?? [],
  });
  const { checked, risk } = verdict;
  const hides = hiddenFiles(rules, roots);
  const runsOutside = resolved.some(({ effect }) => effect.kind === "run" && effect.outside === true);
  const approval = approvalFor(call.effects, {
    resolved,
    roots,
    sandboxed: isActive && !runsOutside && checked === undefined,
    ...(checked ? { checked } : {}),
    ...(hides ? { hides } : {}),
    risk,
    byPerson: false,
    by: describeDecider(verdict, permissionMode),
  });
  return { verdict, approval };
}

type RootPath = { path: string; real: string };

/**
 * Resolves links. A requested path is also expressed relative to the real root, in case the workspace itself is behind
 * a link.
 */
function resolveEffect(
  effect: Effect,
  places: readonly RootPath[],
  roots: readonly string[],
  { paths, grammar, readings, settings, hidesFiles }: EvaluationOptions,
): ResolvedEffect {
  if (effect.kind === "run") {
    const run = { ...effect, cwd: paths.real(effect.cwd) };
    const place: CommandViewOptions = {
      roots,
      prefixes: settings.safeCommandPrefixes,
      ...(grammar ? { grammar } : {}),
      ...(readings ? { readings } : {}),
      ...(hidesFiles ? { hidesFiles } : {}),
      ...(paths.home === undefined ? {} : { home: paths.home }),
      real: paths.real,
      exists: (path) => paths.exists?.(path) ?? true,
      ...(paths.git ? { git: paths.git } : {}),
    };
    const command = viewCommand(run, place, effect);
    return { effect: run, command, inRepository: command.writePaths.some((each) => isPart(each, paths)) };
  }
  if (effect.kind !== "read" && effect.kind !== "write") return { effect };
  const root = places.find(({ path }) => isWithin(effect.path, path));
  const path = root ? below(root.real, relativeTo(root.path, effect.path) ?? "") : effect.path;
  const realPath = paths.real(effect.path);
  return { effect: { ...effect, path }, realPath, inRepository: effect.kind === "write" && isPart(realPath, paths) };
}

function isPart(path: string, { exists }: KnownPaths): boolean {
  return exists !== undefined && isRepositoryPart(path, exists);
}

function below(root: string, rest: string): string {
  return rest === "" ? root : `${root === "/" ? "" : root}/${rest}`;
}
