import type { PermissionMode, Risk } from "@harness/protocol";
import type { ToolCategory } from "../ports/tool.ts";
import { commandDanger } from "./command-danger.ts";
import { isQuietCommand } from "./command-shape.ts";
import { isBelow, isProtected, isSecret, relativeTo } from "./path-place.ts";
import { hostOf, type JudgedEffect, namesFile, type Rule, ruleAllows, ruleDenies } from "./rule.ts";
import { type Grant, grantCovers } from "./session-grant.ts";

/** All that a decision depends on. Known tool and valid arguments were checked before. */
export type GateQuery = {
  tool: string;
  category: ToolCategory;
  effects: readonly JudgedEffect[];
  /** Real path of the workspace. */
  root: string;
  mode: PermissionMode;
  allow: readonly Rule[];
  deny: readonly Rule[];
  /** A deny rule could not be read: nothing is allowed unasked, so that it is not dropped in silence. */
  denyUnreadable: boolean;
  grants: readonly Grant[];
  canAsk: boolean;
  /** The model did not call the tool, it wrote a call as text: what it read may have put the words into its mouth. */
  foundInText: boolean;
};

export type Verdict = {
  decision: "allow" | "deny" | "ask";
  /** Why, as the end of a sentence about the call: "writes src/a.ts". */
  reason: string;
  risk: Risk;
  /** It is asked in every mode, and no rule or grant allows it. */
  always: boolean;
  /** Who decided, for the words to the model. */
  by: "rule" | "workspace" | "grant" | "mode" | "nobody" | "person";
};

/** One effect judged alone. `always` = asked in every mode; `secret` = no rule about whole folders covers it. */
type Need = { ask: boolean; always: boolean; secret: boolean; plainWrite: boolean; reason: string; risk: Risk };

/** The one ordered question for every call (DESIGN §6). Pure: effects in, verdict out; deny beats ask beats allow. */
export function decide(query: GateQuery): Verdict {
  const { tool, category, effects, root, mode } = query;
  const denied = query.deny.find((rule) => ruleDenies(rule, tool, effects, root));
  const needs = effects.map((each) => needOf(each, root));
  const isQuotable = query.foundInText && !onlyReads(query, needs);
  const worst = isQuotable ? asQuotation(worstOf(needs, category)) : worstOf(needs, category);
  const verdict = (decision: Verdict["decision"], by: Verdict["by"], reason = worst.reason): Verdict => ({
    decision,
    by,
    reason,
    risk: worst.risk,
    always: worst.always,
  });
  if (denied) return verdict("deny", "rule", `is denied by the rule \`${denied.text}\``);
  const harmless = category !== "destructive" && needs.every((need) => !need.ask);
  if (harmless && !isQuotable && !query.denyUnreadable) return verdict("allow", "workspace");
  if (mode === "plan" && category === "destructive") return verdict("deny", "mode");
  if (!worst.always && !query.denyUnreadable) {
    if (isCovered(query, needs)) return verdict("allow", "grant");
    const editsOnly = needs.length > 0 && needs.every((need) => !need.ask || need.plainWrite);
    if (mode === "auto" || (mode === "accept-edits" && editsOnly)) return verdict("allow", "mode");
  }
  if (mode === "deny") return verdict("deny", "mode");
  return query.canAsk ? verdict("ask", "person") : verdict("deny", "nobody");
}

/** Reading in the workspace does no harm, even when nobody has called for it. */
function onlyReads({ category, effects }: GateQuery, needs: readonly Need[]): boolean {
  return (
    category === "readOnly" && effects.every(({ effect }) => effect.kind === "read") && needs.every(({ ask }) => !ask)
  );
}

/** Asked in every mode: rules and grants are for what the model calls. */
function asQuotation<W extends Pick<Need, "always" | "reason" | "risk">>(worst: W): W {
  const reason = `was written as text and may be a quotation; it ${worst.reason}`;
  return { ...worst, always: true, reason, risk: worst.risk === "safe" ? "medium" : worst.risk };
}

/** Is every effect that needs an answer covered by what was allowed before? */
function isCovered(query: GateQuery, needs: readonly Need[]): boolean {
  const { tool, effects, root } = query;
  if (effects.length === 0) return query.allow.some((rule) => coversEmpty(rule, tool));
  const named = query.allow.some((rule) => effects.some((each) => ruleAllows(rule, tool, each, root)));
  const granted = query.grants.some((grant) => effects.some((each) => grantCovers(grant, tool, each)));
  if (!named && !granted) return false;
  return effects.every((each, index) => {
    const need = needs[index];
    if (!need?.ask) return true;
    if (query.allow.some((rule) => ruleAllows(rule, tool, each, root) && (!need.secret || namesFile(rule, each, root))))
      return true;
    return !need.secret && query.grants.some((grant) => grantCovers(grant, tool, each));
  });
}

function coversEmpty(rule: Rule, tool: string): boolean {
  return rule.pattern === undefined && (rule.tool === "*" || rule.tool === tool.toLowerCase());
}

const rank: Record<Risk, number> = { safe: 0, medium: 1, high: 2 };
const weight = (need: Need): number => (need.always ? 8 : 0) + (need.ask ? 4 : 0) + rank[need.risk];

/** The effect that decides how the whole call is judged and described. */
function worstOf(needs: readonly Need[], category: ToolCategory): Pick<Need, "always" | "reason" | "risk"> {
  const [first, ...others] = needs;
  if (first) return others.reduce((worst, each) => (weight(each) > weight(worst) ? each : worst), first);
  return category === "destructive"
    ? { always: false, reason: "may change things", risk: "medium" }
    : { always: false, reason: "changes nothing", risk: "safe" };
}

function needOf(judged: JudgedEffect, root: string): Need {
  const { effect } = judged;
  const asked = { ask: true, always: false, secret: false, plainWrite: false };
  switch (effect.kind) {
    case "read":
    case "write":
      return pathNeed(effect.kind, effect.path, judged.realPath ?? effect.path, root);
    case "run": {
      const danger = commandDanger(effect.command, { cwd: effect.cwd, root });
      if (!danger)
        return { ...asked, reason: "runs a command", risk: isQuietCommand(effect.command) ? "safe" : "medium" };
      return { ...asked, always: danger.always, reason: `runs a command that ${danger.reason}`, risk: "high" };
    }
    case "reach":
      return { ...asked, reason: `reaches ${hostOf(effect.url) ?? effect.url.slice(0, 100)}`, risk: "medium" };
    case "spend":
      return { ...asked, reason: `spends ${effect.what}`, risk: "medium" };
  }
}

function pathNeed(kind: "read" | "write", path: string, real: string, root: string): Need {
  const inside = isBelow(real, root);
  const shown = (inside ? relativeTo(root, real) : path) || ".";
  const secret = isSecret(path) || isSecret(real);
  const link = real === path || !inside ? "" : " (through a link)";
  const base = { always: false, secret, plainWrite: false };
  if (kind === "read") {
    if (secret) return { ...base, ask: true, reason: `reads ${shown}, which may hold secrets`, risk: "high" };
    if (inside) return { ...base, ask: false, reason: `reads ${shown}`, risk: "safe" };
    return { ...base, ask: true, reason: `reads outside the workspace: ${real}`, risk: "medium" };
  }
  if (isProtected(path, root) || isProtected(real, root)) {
    return { ...base, ask: true, always: true, reason: `writes to a protected file: ${shown}`, risk: "high" };
  }
  if (!inside) return { ...base, ask: true, reason: `writes outside the workspace: ${real}`, risk: "high" };
  if (secret) return { ...base, ask: true, reason: `writes ${shown}, which may hold secrets`, risk: "high" };
  return { ...base, ask: true, plainWrite: true, reason: `writes ${shown}${link}`, risk: "medium" };
}
