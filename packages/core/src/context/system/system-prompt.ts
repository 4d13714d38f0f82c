import type { InstructionFile, WorkspaceFacts } from "../../ports/workspace.ts";
import { fittingFiles } from "./instruction-text.ts";
import type { PromptBudget } from "./prompt-budget.ts";

/** Characters of a name in a folder, on average at most. */
const USUAL_NAME = 24;

export type SystemPromptParts = {
  customInstructions: string;
  /** What harness is, and what it is there for in this mode. */
  opening: string;
  workspace: WorkspaceFacts;
  instructionFiles: readonly InstructionFile[];
  /** ISO date; people speak of today. */
  today: string;
  budget: PromptBudget;
  /** What the tools of a first request take of the budget. */
  toolChars: number;
};

/**
 * The system text in its fixed order, with the tools no longer than the budget allows: instruction files get what is left.
 * The person's own words are never cut. The same parts give the same bytes: caches of servers live from that.
 */
export function systemPrompt(parts: SystemPromptParts): string {
  const { customInstructions, opening, workspace, instructionFiles, today, budget, toolChars } = parts;
  const own = [customInstructions.trim(), opening].filter((words) => words !== "");
  const first = [...own, workspaceText(workspace, today, budget)].join("\n\n");
  const files = fittingFiles(instructionFiles, budget.maxChars - toolChars - first.length);
  return [first, ...files].join("\n\n");
}

function workspaceText(facts: WorkspaceFacts, today: string, { maxEntries }: PromptBudget): string {
  const { root, git, entries, moreEntries, platform, shell } = facts;
  const shown = firstEntries(entries, maxEntries);
  const left = entries.length - shown.length + moreEntries;
  const more = left > 0 ? ` … (${left} more; list the folder to see them)` : "";
  return [
    `Workspace: ${root}`,
    `Git: ${git ? gitText(git) : "not a repository"}`,
    `System: ${platform}, ${shell}. Today: ${today}`,
    `Top level: ${shown.length > 0 ? shown.join(" ") : "(empty)"}${more}`,
  ].join("\n");
}

/** As many names as are wanted; fewer where they are long. */
function firstEntries(entries: readonly string[], most: number): string[] {
  let room = most * USUAL_NAME;
  const tooLong = entries.findIndex((name) => {
    room -= name.length + 1;
    return room < 0;
  });
  return entries.slice(0, tooLong < 0 ? most : Math.min(most, tooLong));
}

function gitText({ branch, changedFiles }: NonNullable<WorkspaceFacts["git"]>): string {
  if (changedFiles === undefined) return `branch ${branch}`;
  return `branch ${branch}, ${changedFiles === 0 ? "no changes" : `${changedFiles} changed files`}`;
}
