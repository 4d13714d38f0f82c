import { AgentBudget } from "@harness/protocol";
import type { FrontmatterDraft } from "../text/frontmatter-draft.ts";
import { limits } from "./read-agent.ts";

const GROUPS = ["limits", "budget"];

/** Writes the limits of an agent at their place in its file, and new ones among the others. */
export function editBudget(draft: FrontmatterDraft, budget: AgentBudget = {}): void {
  for (const limit of AgentBudget.keyof().options) {
    const value = budget[limit];
    const places = [
      ...GROUPS.flatMap((group) => limits[limit].map((key) => ({ group, key }))),
      ...limits[limit].map((key) => ({ key })),
    ];
    const isThere = places.map((place) => setLimit(draft, place, value)).includes(true);
    if (!isThere && value !== undefined) addLimit(draft, limit, value);
  }
}

type BudgetField = { group?: string; key: string };

/** Returns false if the place has no such limit. */
function setLimit(draft: FrontmatterDraft, { group, key }: BudgetField, value: number | undefined): boolean {
  const lines = draft.get(group ?? key);
  if (!lines) return false;
  // On one line, `limits: {turns: 5}`, or on a line of its own.
  const limit = new RegExp(`(^|[{,])([ \\t]*["']?${key}["']?[ \\t]*:[ \\t]*)[^,}#]*?(?=[ \\t]*([,}#]|$))`);
  const [head = "", ...below] = lines;
  const headText = group === undefined ? head : head.slice(group.length + 1);
  const found = [headText, ...below].findIndex((line) => limit.test(line));
  if (found < 0) return false;
  const changed = [headText, ...below].flatMap((line, at) => {
    if (at !== found) return [line];
    if (value !== undefined) return [line.replace(limit, `$1$2${value}`)];
    return at === 0
      ? [
          line
            .replace(limit, "$1")
            .replace(/([{,])[ \t]*,[ \t]*/, (_all, sign) => (sign === "," ? ", " : sign))
            .replace(/,[ \t]*\}/, "}"),
        ]
      : [];
  });
  const isEmpty = changed.every((line) => /^[ \t]*(\{[ \t]*\}|#.*)?$/.test(line));
  if (group === undefined ? value === undefined : isEmpty) draft.remove(group ?? key);
  else draft.set(group ?? key, group === undefined ? changed : [`${group}:${changed[0]}`, ...changed.slice(1)]);
  return value !== undefined;
}

function addLimit(draft: FrontmatterDraft, limit: string, value: number): void {
  const group = GROUPS.find((each) => draft.get(each));
  const [head = "", ...below] = group === undefined ? [] : (draft.get(group) ?? []);
  if (group === undefined) draft.set("limits", ["limits:", `  ${limit}: ${value}`]);
  else if (head.includes("{")) draft.set(group, [head.replace(/[ \t]*\}/, `, ${limit}: ${value}}`)]);
  else {
    const indent = /^[ \t]*/.exec(below.at(-1) ?? "")?.[0] || "  ";
    draft.set(group, [head, ...below, `${indent}${limit}: ${value}`]);
  }
}
