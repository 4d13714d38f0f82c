import type { InstructionFile, WorkspaceFacts } from "../../ports/workspace.ts";
import { fittingFiles } from "./instruction-text.ts";
import type { PromptBudget } from "./prompt-budget.ts";

/** Average characters of an entry; longer names get fewer entries. */
const USUAL_NAME = 24;

export type SystemPromptParts = {
  customInstructions: string;
  /** The text about harness and the agent mode. */
  opening: string;
  workspace: WorkspaceFacts;
  instructionFiles: readonly InstructionFile[];
  budget: PromptBudget;
  /** Characters of the budget that the tools of a first request take. */
  toolChars: number;
};

/** The system text, and the characters that each instruction file has in it. */
export type SystemTextParts = { text: string; files: readonly { path: string; chars: number }[] };

/**
 * Builds the system text in its fixed order, within the budget that the tools leave; instruction files get the
 * remaining room. Custom instructions are never cut. The same parts give the same bytes, because prompt caches depend
 * on that.
 */
export function systemPrompt(parts: SystemPromptParts): SystemTextParts {
  const { customInstructions, opening, workspace, instructionFiles, budget, toolChars } = parts;
  const own = [customInstructions.trim(), opening].filter((text) => text !== "");
  const first = [...own, workspaceText(workspace, budget)].join("\n\n");
  const files = fittingFiles(instructionFiles, budget.maxChars - toolChars - first.length);
  // Files that are only counted come first, in one sentence.
  const named = instructionFiles.slice(instructionFiles.length - files.length);
  return {
    text: [first, ...files].join("\n\n"),
    files: files.map((text, index) => ({ path: named[index]?.path ?? "", chars: text.length })),
  };
}

function workspaceText(facts: WorkspaceFacts, { maxEntries }: PromptBudget): string {
  const { root, git, entries, moreEntries, platform, shell, temporaryFolder } = facts;
  const shown = firstEntries(entries, maxEntries);
  const left = entries.length - shown.length + moreEntries;
  const more = left > 0 ? ` … (${left} more; list the folder to see them)` : "";
  return [
    `Workspace: ${root}`,
    `Git: ${git ? gitText(git) : "not a repository"}`,
    `System: ${platform}, ${shell}. Temporary files: ${temporaryFolder}`,
    `Top level: ${shown.length > 0 ? shown.join(" ") : "(empty)"}${more}`,
  ].join("\n");
}

/** As many entries as allowed, fewer where names are long. */
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
