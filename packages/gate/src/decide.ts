import type { Risk } from "@harness/protocol";
import { coverFor } from "./coverage.ts";
import type { ToolCategory } from "./gate-call.ts";
import type { GateQuery } from "./gate-query.ts";
import { type Need, needOf } from "./need.ts";
import type { MovedRoot } from "./places/root-ledger.ts";
import type { ResolvedEffect } from "./resolved-effect.ts";
import { guardingRule, hidingRule, unsureRule } from "./rules/hidden-files.ts";
import { isForOtherServer, type Rule, ruleTouches } from "./rules/rule.ts";
import type { CheckedLine } from "./shell/checked-line.ts";

/** The part of the gate that decided. `workspace`: the call only reads what it may read. */
type Decider =
  | "agent mode"
  | "rule"
  | "hook"
  | "sandbox"
  | "workspace"
  | "reader"
  | "setting"
  | "grant"
  | "mode"
  | "nobody"
  | "person";

export type Verdict = {
  decision: "allow" | "deny" | "ask";
  /** Why, as the end of a sentence about the call: "writes src/a.ts". */
  reason: string;
  risk: Risk;
  /** Asked in every mode; no rule or grant allows it. */
  always: boolean;
  by: Decider;
  /** The rule that decided, or that requires a question. */
  rule?: Rule;
  /** Present if the command only reads: exactly this may run, not its text. */
  checked?: CheckedLine;
  /** True if the call changes ordinary workspace files and nothing else. */
  plainWrites: boolean;
  /** If present, the only question is whether the user means these places. */
  movedRoots?: readonly MovedRoot[];
};

type Decision = Pick<Verdict, "decision" | "by"> & Partial<Verdict>;
type DecisionInput = {
  query: GateQuery;
  needs: readonly Need[];
  worst: Pick<Need, "always" | "reason" | "risk">;
  /** A rule that denies or asks about files that the call may read or write, if they are only known when it runs. */
  hiding?: Rule;
};

/**
 * The one ordered decision for every call (DESIGN §6): mode → deny rules → hooks → harmless calls → rules and answers →
 * ask. Pure: effects in, verdict out. From any source, deny beats ask and ask beats allow.
 */
export function decide(query: GateQuery): Verdict {
  const weighing = weigh(query);
  const { worst, needs } = weighing;
  const plainWrites = isPlain(needs);
  const outcome = refusal(query) ?? elsewhere(query) ?? allowance(weighing) ?? question(weighing);
  return { reason: worst.reason, risk: worst.risk, always: worst.always, plainWrites, ...outcome };
}

function weigh(query: GateQuery): DecisionInput {
  const plainNeeds = query.effects.map((each) => needOf(each, query));
  const openReads = query.effects.flatMap(({ command }) => command?.openReads ?? []);
  const hiding = hidingRule(query.rules, openReads, query.roots) ?? unsureRuleOf(query);
  const openWrites = query.effects.flatMap(({ command }) => command?.openWrites ?? []);
  const guarding = hiding ? undefined : guardingRule(query.rules, openWrites, query.roots);
  const needs = withStanding(plainNeeds, hiding, guarding);
  const worst = worstOf(needs, query.category);
  if (query.foundInText && !onlyReads(query, needs)) return { query, needs, worst: asQuotation(worst) };
  const asking = query.rules.find((rule) => rule.decision === "ask" && touches(rule, query));
  if (asking) return { query, needs, worst: asStanding(worst, asking) };
  const unsure = hiding ?? guarding;
  return { query, needs, worst, ...(unsure ? { hiding: unsure } : {}) };
}

/** The rule that hides files which a command may read, if they are only known when it runs. */
function unsureRuleOf({ effects, rules, roots }: GateQuery): Rule | undefined {
  for (const { command } of effects) {
    const named = { names: [], maybe: [], patterns: [...(command?.openPatterns ?? [])], open: [] };
    const rule = unsureRule(rules, named, roots) ?? (command?.mayRead && unsureRule(rules, command.mayRead, roots));
    if (rule) return rule;
  }
  return undefined;
}

function touches(rule: Rule, { tool, effects, roots }: GateQuery): boolean {
  return ruleTouches(rule, tool, effects, roots);
}

/** Denials that nothing overrides. */
function refusal(query: GateQuery): Decision | undefined {
  const { notOffered, rules, hookDenial, sandbox, effects } = query;
  if (notOffered !== undefined) return { decision: "deny", by: "agent mode", reason: notOffered };
  const rule = rules.find((each) => each.decision === "deny" && touches(each, query));
  if (rule)
    return { decision: "deny", by: "rule", rule, reason: `is denied by the rule \`${rule.text}\`${whyOf(rule)}` };
  if (hookDenial !== undefined) return { decision: "deny", by: "hook", reason: hookDenial };
  if (sandbox.wanted === "on" && !sandbox.active && effects.some(({ effect }) => effect.kind === "run")) {
    const why = sandbox.why ?? "it does not work here";
    return { decision: "deny", by: "sandbox", reason: `would run without the sandbox, which is set to \`on\`: ${why}` };
  }
  return undefined;
}

const usesNoPlace: ReadonlySet<string> = new Set([
  "reach",
  "spend",
  "mcp",
] satisfies ResolvedEffect["effect"]["kind"][]);

/** Nothing is touched in a place that the workspace did not lead to before, until the user confirms that place. */
function elsewhere({ movedRoots, effects, permissionMode, canAsk }: GateQuery): Decision | undefined {
  const [moved] = movedRoots;
  if (!moved || effects.every(({ effect }) => usesNoPlace.has(effect.kind))) return undefined;
  const { path, before, now } = moved;
  const led = before === path ? "was not a link" : `led to ${before}`;
  const reason = `works in ${now.real}: ${path} leads there now, and ${led} when the session was opened`;
  const by = permissionMode === "deny" ? "mode" : canAsk ? "person" : "nobody";
  const decision = by === "person" ? "ask" : "deny";
  return { decision, by, reason, always: true, risk: "high", plainWrites: false, movedRoots };
}

/** Calls that are allowed without a question. */
function allowance(weighing: DecisionInput): Decision | undefined {
  const { query, needs, worst, hiding } = weighing;
  const { category, effects, everythingAsks } = query;
  if (worst.always || everythingAsks !== undefined) return undefined;
  const safe = effects.length === 1 ? needs[0]?.safeCommand : undefined;
  const reader = safe === undefined ? undefined : effects[0]?.command?.line;
  if ((category !== "destructive" || reader) && needs.every(({ ask }) => !ask)) {
    if (!reader) return { decision: "allow", by: "workspace" };
    return { decision: "allow", by: safe === "looks" ? "reader" : "setting", checked: reader };
  }
  // A rule for a command says nothing about files that are only known when it runs; an answer is for exactly what was
  // asked.
  const cover = coverFor(hiding ? { ...query, rules: [] } : query, needs);
  if (cover) return { decision: "allow", ...cover };
  return modeAllows(weighing) ? { decision: "allow", by: "mode" } : undefined;
}

function modeAllows({ query, needs, hiding }: DecisionInput): boolean {
  const { permissionMode, effects, sandbox, isStaged } = query;
  if (hiding) return false;
  switch (permissionMode) {
    case "allow-all":
      // A command's changes are only known when it runs; a tool announces its own, and only a rule that names the place
      // covers them.
      return !mayBeDenied(query, needs) && !needs.some(({ outside }) => outside);
    case "review":
      return isStaged && isPlain(needs);
    case "accept-edits":
      return isPlain(needs);
    case "auto-in-sandbox":
      return (
        effects.length > 0 &&
        sandbox.active &&
        !mayBeDenied(query, needs) &&
        needs.every((need, at) => !need.ask || isContained(need, effects[at]))
      );
    case "default":
    case "deny":
      return false;
  }
}

/** A partly understood command could be one that a rule denies. */
function mayBeDenied({ effects, rules }: GateQuery, needs: readonly Need[]): boolean {
  const denials = rules.filter(({ decision }) => decision === "deny");
  if (needs.some(({ problem }) => problem !== undefined)) return denials.some(concernsCommands);
  return denials.filter(deniesCommands).some((rule) => effects.some((each) => mayBe(rule, each)));
}

/** True if the rule denies commands, or files that they could reach. */
function concernsCommands(rule: Rule): boolean {
  return deniesCommands(rule) || (rule.subject?.path !== undefined && /^(?:read|write|edit|\*)$/.test(rule.tool));
}

function deniesCommands({ subject }: Rule): boolean {
  return !subject || subject.command !== undefined;
}

/** True if a word known only at run time could make it what the rule denies. */
function mayBe({ subject }: Rule, { command }: ResolvedEffect): boolean {
  return subject?.command !== undefined && command?.mayStart(subject.command) === true;
}

/** The sandbox does not hide from the model what the command may read. */
function isContained({ problem, secret }: Need, resolved: ResolvedEffect | undefined): boolean {
  return problem === undefined && !secret && resolved?.effect.kind === "run";
}

/** Changes of ordinary workspace files, and the reads that go with them. */
function isPlain(needs: readonly Need[]): boolean {
  return needs.some(({ plain }) => plain === "write") && needs.every(({ ask, plain }) => !ask || plain !== undefined);
}

/** A rule that would allow the call if the MCP server had the configuration that the rule is for. */
function ruleForOther({ rules, tool, effects, roots: [root = "/"] }: GateQuery): Rule | undefined {
  return effects
    .filter(({ effect }) => effect.kind === "mcp")
    .flatMap((each) => rules.filter((rule) => rule.decision === "allow" && isForOtherServer(rule, tool, each, root)))
    .at(0);
}

function question({ query, worst, hiding }: DecisionInput): Decision {
  const { permissionMode, canAsk, everythingAsks } = query;
  if (permissionMode === "deny") return { decision: "deny", by: "mode" };
  const by = canAsk ? ({ decision: "ask", by: "person" } as const) : ({ decision: "deny", by: "nobody" } as const);
  const ask = hiding ? { ...by, rule: hiding } : by;
  const other = ruleForOther(query);
  const plain = other
    ? `${worst.reason}; your rule \`${other.text}\` is for another configuration of it`
    : worst.reason;
  if (everythingAsks === undefined) return { ...ask, reason: plain };
  return { ...ask, always: true, reason: `${worst.reason}; ${everythingAsks}` };
}

/** Reading in the workspace is harmless, even if the model did not really make the call. */
function onlyReads({ category, effects }: GateQuery, needs: readonly Need[]): boolean {
  return (
    category === "readOnly" && effects.every(({ effect }) => effect.kind === "read") && needs.every(({ ask }) => !ask)
  );
}

/** Asked in every mode: rules and grants apply to real tool calls only. */
function asQuotation(worst: DecisionInput["worst"]): DecisionInput["worst"] {
  const reason = `was written as plain text and may be a quotation; it ${worst.reason}`;
  return { always: true, reason, risk: worst.risk === "safe" ? "medium" : worst.risk };
}

function withStanding(needs: readonly Need[], hiding: Rule | undefined, guarding: Rule | undefined): readonly Need[] {
  if (hiding) return needs.map((each) => asHidden(each, hiding, "read"));
  return guarding ? needs.map((each) => asHidden(each, guarding, "write")) : needs;
}

function asHidden(need: Need, { text }: Rule, does: "read" | "write"): Need {
  if (need.always) return need;
  const reason = `runs a command that may ${does} what the rule \`${text}\` covers`;
  return { ...need, ask: true, reason, risk: need.risk === "safe" ? "medium" : need.risk };
}

function asStanding(worst: DecisionInput["worst"], rule: Rule): DecisionInput["worst"] {
  const reason = `${worst.reason}; the rule \`${rule.text}\` asks each time${whyOf(rule)}`;
  return { always: true, reason, risk: worst.risk === "safe" ? "medium" : worst.risk };
}

const MAX_WHY = 200;

/** The user's reason for the rule, as the end of a sentence. */
export function whyOf({ origin: { why = "" } }: Rule): string {
  const words = why.replace(/\s+/gu, " ").trim();
  // The sentence continues, or has its own full stop.
  return words === "" ? "" : `: ${words.slice(0, MAX_WHY).replace(/\.$/, "")}`;
}

const rank: Record<Risk, number> = { safe: 0, medium: 1, high: 2 };
const weight = (need: Need): number => (need.always ? 8 : 0) + (need.ask ? 4 : 0) + rank[need.risk];

/** The effect that determines how the whole call is judged and described. */
function worstOf(needs: readonly Need[], category: ToolCategory): DecisionInput["worst"] {
  const [first, ...others] = needs;
  if (first) return others.reduce((worst, each) => (weight(each) > weight(worst) ? each : worst), first);
  return category === "destructive"
    ? { always: false, reason: "may change things", risk: "medium" }
    : { always: false, reason: "changes nothing", risk: "safe" };
}
