import { isDeepStrictEqual } from "node:util";
import type { AgentDefinition } from "@harness/protocol";
import { ITEM, isBlank, readFrontmatter } from "../text/frontmatter.ts";
import { FrontmatterDraft } from "../text/frontmatter-draft.ts";
import { agentText, frontmatterLines, listText } from "./agent-text.ts";
import { editBudget } from "./edit-budget.ts";
import { agentFieldNames, claudePermissionMode, readAgent } from "./read-agent.ts";

/** Maps a name to the tool it refers to, or to itself if there is none. */
export type MeaningOf = (name: string) => string;

/**
 * The text of an agent's file with a different definition. Only changed lines are written: comments, keys of other
 * programs and their notation of a value stay. `fileName`: as for `readAgent`.
 */
export function editedAgentText(
  text: string,
  definition: AgentDefinition,
  { fileName, meaningOf }: { fileName: string; meaningOf: MeaningOf },
): string {
  const draft = FrontmatterDraft.of(text);
  if (!draft || "problem" in readFrontmatter(text)) return agentText(definition);
  const read = readAgent(text, fileName);
  // If the file cannot be used, every field is written.
  const before = "definition" in read ? read.definition : undefined;
  const written = frontmatterLines(definition);
  for (const key of Object.keys(agentFieldNames) as (keyof typeof agentFieldNames)[]) {
    if (before && sameValue(before[key], definition[key], meaningOf)) continue;
    const [first = key, ...others] = agentFieldNames[key].filter((each) => draft.get(each));
    for (const other of others) draft.remove(other);
    const lines = written.get(key);
    const value = definition[key];
    if (!lines) draft.remove(first);
    else if (Array.isArray(value)) draft.set(first, namesLines(first, draft.get(first), value, meaningOf));
    else if (key === "worktree") setWorktree(draft, first);
    else draft.set(first, [valueLine(first, lines[0] ?? "", draft.get(first))]);
  }
  if (!before || !isDeepStrictEqual(before.budget ?? {}, definition.budget ?? {})) editBudget(draft, definition.budget);
  if (before?.prompt !== definition.prompt.trim()) draft.setBody(definition.prompt.trim());
  return draft.text;
}

/** Names are equal if they refer to the same tools, in any order. */
export function sameValue(one: unknown, other: unknown, meaningOf: MeaningOf): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return isDeepStrictEqual(one, other);
  return isDeepStrictEqual(new Set(one.map(meaningOf)), new Set(other.map(meaningOf)));
}

/** The line with the file's own key, and the comment that followed its value. */
function valueLine(key: string, line: string, old: readonly string[] = []): string {
  const value = line.slice(line.indexOf(":") + 1).trim();
  const [, comment = ""] = (old.length === 1 && /(?<! )( +#.*)$/.exec(old[0] ?? "")) || [];
  const own = key === "permissionMode" ? claudePermissionMode(value) : value;
  return `${key}: ${own}${["name", "description"].includes(key) ? "" : comment}`;
}

/** `isolation: worktree` means the same as `worktree: true`. */
function setWorktree(draft: FrontmatterDraft, key: string): void {
  draft.set(key, [key === "isolation" ? "isolation: worktree" : "worktree: true"]);
}

/** Names that refer to a wanted tool stay as they are written; the others are added in the notation of the list. */
function namesLines(
  key: string,
  old: readonly string[] | undefined,
  wanted: readonly string[],
  meaningOf: MeaningOf,
): string[] {
  const [first = "", ...below] = old ?? [];
  const rest = first.slice(first.indexOf(":") + 1).trim();
  const has = namesIn(key, old);
  const meanings = new Set(wanted.map(meaningOf));
  const kept = has.filter((name) => meanings.has(meaningOf(name)));
  const keptMeanings = new Set(kept.map(meaningOf));
  const added = wanted.filter((name) => !keptMeanings.has(meaningOf(name)));
  if (old && kept.length + added.length > 0 && isBlank(rest)) {
    const start = /^[ \t]*-[ \t]*/.exec(below.find((line) => ITEM.test(line)) ?? "  - ")?.[0] ?? "  - ";
    const stays = (line: string) => isBlank(line) || kept.includes(namesIn(key, [`${key}:`, line])[0] ?? "");
    return [first, ...below.filter(stays), ...added.map((name) => `${start}${itemText(name)}`)];
  }
  const names = [...kept, ...added];
  // A single name with a space would be read as two.
  const fits = (name: string) => !/[,"'#]/.test(name) && (names.length > 1 || /^\S+$|\(/.test(name));
  const isPlain = old && names.length > 0 && !rest.startsWith("[") && names.every(fits);
  if (!isPlain) return [`${key}: ${listText(names)}`];
  return [valueLine(key, `${key}: ${names.join(", ")}`, old)];
}

function itemText(name: string): string {
  return listText([name]).slice(1, -1);
}

function namesIn(key: string, lines: readonly string[] = []): string[] {
  const read = readAgent(`---\ndescription: D.\ntools${lines.join("\n").slice(key.length)}\n---\nP.`, "x");
  return ("definition" in read && read.definition.tools) || [];
}
