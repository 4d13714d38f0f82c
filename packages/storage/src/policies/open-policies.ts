import { createHash } from "node:crypto";
import {
  type Clock,
  type KeptRule,
  type Policies,
  type PolicyRule,
  type PolicySet,
  policyIdentity,
  policyMeaning,
  policyText,
} from "@harness/gate";
import { isSettled, type PrivateFile, realPathOrSame } from "@harness/host";
import type { ConfigPaths } from "../config-paths.ts";
import { openMcpStore } from "../mcp/mcp-store.ts";
import { changePolicies } from "./change-policies.ts";
import { LostRules } from "./lost-rules.ts";
import { type PolicyDocument, policyFile } from "./policy-file.ts";
import { type PolicyPaths, policyPaths, projectOf } from "./policy-paths.ts";

/** The result of the gate's `readPolicyFile`. */
export type PolicyText = { rules: PolicyRule[]; problems: string[]; everythingAsks: boolean };

export type PolicyOptions = {
  configPaths: Pick<ConfigPaths, "root">;
  /** The folder to which the rules apply. */
  cwd: string;
  clock: Pick<Clock, "now">;
  /** Changes with the file; "": there is none. */
  stampOf(path: string): string;
  read(text: string): PolicyText;
  /** Called each time: whether the user trusts the files of the folder. */
  trusted(): boolean;
};

/** The policies of a folder on disk. */
export type PolicyStore = Policies & {
  readonly paths: PolicyPaths;
  /** Saves rules for the project or for all projects of the user; existing rules are not added again. */
  add(scope: "user" | "project", rules: readonly PolicyRule[]): { kept: KeptRule[] } | { problem: string };
  /** Undefined: the user has no such rule, neither here nor for all projects. */
  remove(ruleId: string): { removed: KeptRule } | { problem: string } | undefined;
};

type Scope = KeptRule["scope"];
type CachedPolicies = { stamp: string; set: PolicySet };

/** Reads nothing yet. */
export function openPolicies(options: PolicyOptions): PolicyStore {
  const { clock, stampOf, read, trusted } = options;
  const paths = policyPaths(options.configPaths, options.cwd);
  const files = filesOf(paths);
  const lost = new LostRules(openMcpStore(options.configPaths), () => clock.now());
  let known: CachedPolicies | undefined;
  let advised: PolicySet | undefined;
  const current = (): PolicySet => {
    const startedAt = Date.now();
    const stamps = files.map(({ path }) => stampOf(path));
    // Trust only matters if the repository has such a file; otherwise each call at the gate would compute it for
    // nothing.
    const isTrusted = files.some(({ scope }, at) => scope === "repository" && stamps[at] !== "") && trusted();
    const stamp = [String(isTrusted), ...stamps].join("\n");
    if (known?.stamp === stamp) return known.set;
    const set = readAll(files, read, isTrusted);
    known = files.every(({ path }) => isSettled(path, startedAt)) ? { stamp, set } : undefined;
    return set;
  };
  const add: PolicyStore["add"] = (scope, rules) => {
    const path = paths[scope];
    const file = policyFile(path, { own: true });
    const created = new Date(clock.now()).toISOString();
    const dated = rules.map((rule) => ({ ...rule, created: rule.created ?? created }));
    // The advice about older files only covers rules that existed before.
    if (dated.some(({ mcp }) => mcp !== undefined)) lost.writing();
    const changed = changePolicies(file, (there) => merged(there, dated, read));
    if ("problem" in changed) return changed;
    return savedRules(dated, keptRules(path, scope, changed.rules));
  };
  return {
    paths,
    base: projectOf(options.cwd).top,
    current,
    advice() {
      const set = current();
      if (set === advised) return undefined;
      advised = set;
      return lost.advice(set.rules);
    },
    add,
    keep: (rules) => add("project", rules),
    remove(ruleId) {
      for (const { path, scope, file } of files) {
        if (scope === "repository") continue;
        const removed = keptRules(
          path,
          scope,
          current().rules.flatMap((each) => (each.path === path ? each.rule : [])),
        );
        const found = removed.find((each) => each.ruleId === ruleId);
        if (!found) continue;
        const changed = changePolicies(file, (there) => there.filter((rule) => ruleIdOf(path, rule) !== ruleId));
        return "problem" in changed ? changed : { removed: found };
      }
      return undefined;
    },
  };
}

type ScopedFile = { path: string; scope: Scope; file: PrivateFile<PolicyDocument> };

function filesOf({ user, project, repository }: PolicyPaths): ScopedFile[] {
  const scoped = (path: string, scope: Scope): ScopedFile => {
    return { path, scope, file: policyFile(path, { own: scope !== "repository" }) };
  };
  const own = [scoped(user, "user"), scoped(project, "project")];
  // For people who keep their own files in `.harness` and work next to it, both paths are the same file.
  return realPathOrSame(user) === realPathOrSame(repository) ? own : [...own, scoped(repository, "repository")];
}

function readAll(files: readonly ScopedFile[], read: PolicyOptions["read"], trusted: boolean): PolicySet {
  const hash = createHash("sha256").update(String(trusted));
  const rules: KeptRule[] = [];
  const problems: string[] = [];
  let everythingAsks = false;
  for (const { path, scope, file } of files) {
    const { value, problems: unread } = file.read();
    hash.update(`\n${path}\n${value.text ?? unread.join(" ")}`);
    if (value.text === undefined) {
      problems.push(...unread.map((problem) => `${problem} Until then harness asks about everything.`));
      everythingAsks ||= unread.length > 0;
      continue;
    }
    const found = read(value.text);
    problems.push(...found.problems.map((problem) => `${path}: ${problem}`));
    everythingAsks ||= found.everythingAsks;
    const inForce = scope !== "repository" || trusted ? found.rules : found.rules.filter(isRestriction);
    const dropped = found.rules.length - inForce.length;
    if (dropped > 0) problems.push(`${path}: ${allowRules(dropped)} not in force until the folder is trusted.`);
    rules.push(...keptRules(path, scope, inForce));
  }
  return { rules, problems, everythingAsks, version: hash.digest("hex").slice(0, 16) };
}

function isRestriction({ decision }: PolicyRule): boolean {
  return decision !== "allow";
}

function allowRules(count: number): string {
  return count === 1 ? "1 rule that allows is" : `${count} rules that allow are`;
}

function keptRules(path: string, scope: Scope, rules: readonly PolicyRule[]): KeptRule[] {
  return rules.map((rule) => ({ ruleId: ruleIdOf(path, rule), rule, scope, path }));
}

/** Two rules of a file have the same id only if they are equal in every field: revoking one leaves the other. */
function ruleIdOf(path: string, rule: PolicyRule): string {
  return createHash("sha256")
    .update(`${path}\n${policyIdentity(rule)}`)
    .digest("hex")
    .slice(0, 16);
}

/** The file's current version of each requested rule. */
function savedRules(
  requested: readonly PolicyRule[],
  there: readonly KeptRule[],
): { kept: KeptRule[] } | { problem: string } {
  const byMeaning = new Map(there.map((kept) => [policyMeaning(kept.rule), kept]));
  const found = requested.map((rule) => byMeaning.get(policyMeaning(rule)));
  const kept = found.filter((each) => each !== undefined);
  const lost = requested.filter((_, at) => found[at] === undefined).map(policyText);
  if (lost.length === 0) return { kept };
  return { problem: `The file does not have these rules after saving: ${lost.join(", ")}.` };
}

/** A new rule must not make the file unusable. An existing rule that is not in force is no reason to omit one. */
function merged(
  there: readonly PolicyRule[],
  more: readonly PolicyRule[],
  read: PolicyOptions["read"],
): PolicyRule[] | { problem: string } {
  const inForce = read(JSON.stringify({ version: 1, rules: there })).rules;
  const known = new Set(inForce.map(policyMeaning));
  const news = more.filter((rule) => {
    const meaning = policyMeaning(rule);
    return !known.has(meaning) && known.add(meaning);
  });
  const { rules, problems } = read(JSON.stringify({ version: 1, rules: news }));
  if (rules.length < news.length || problems.length > 0) {
    return { problem: `The rule cannot be saved. ${problems.join(" ")}`.trim() };
  }
  return [...there, ...news];
}
