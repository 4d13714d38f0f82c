import { nameInWords, shownName } from "@harness/protocol";
import type { ProjectFacts, WorkspaceFacts } from "../../../ports/workspace.ts";
import type { PromptBudget } from "../prompt-budget.ts";
import type { SystemSection } from "../system-section.ts";

/** Average characters of an entry; if names are longer, fewer are listed. */
const USUAL_NAME = 24;

/** The folder that the agent works in. */
export const workspace: SystemSection = {
  name: "workspace",
  room: "whole",
  async read({ requests }) {
    const facts = await requests.workspace();
    return { write: ({ budget }) => [{ name: facts.root, text: workspaceText(facts, budget) }] };
  },
};

function workspaceText(facts: WorkspaceFacts, { maxEntries }: PromptBudget): string {
  const { root, git, project, entries, moreEntries, platform, shell, temporaryFolder } = facts;
  const shown = firstEntries(entries, maxEntries).map(nameInWords);
  const left = entries.length - shown.length + moreEntries;
  const more = left > 0 ? ` … (${left} more; list the folder to see them)` : "";
  return [
    `Workspace: ${shownName(root)}`,
    ...(project ? [projectText(project)] : []),
    `Git: ${git ? gitText(git) : "not a repository"}`,
    `System: ${platform}, ${shell}. Temporary files: ${shownName(temporaryFolder)}`,
    `Top level: ${shown.length > 0 ? shown.join(" ") : "(empty)"}${more}`,
  ].join("\n");
}

function projectText({ kind, name, packageManager, commands }: ProjectFacts): string {
  const what = `${kind}${packageManager === undefined ? "" : ` (${packageManager})`}${name === undefined ? "" : ` ${name}`}`;
  const { build, test, run } = commands;
  const usual = [build && `build: ${build}`, test && `test: ${test}`, run && `run: ${run}`].filter(Boolean);
  return [`Project: ${what}`, ...usual].join("; ");
}

/** Up to the limit, fewer if names are long. */
function firstEntries(entries: readonly string[], most: number): string[] {
  let room = most * USUAL_NAME;
  const tooLong = entries.findIndex((name) => {
    room -= name.length + 1;
    return room < 0;
  });
  return entries.slice(0, tooLong < 0 ? most : Math.min(most, tooLong));
}

function gitText({ branch, changedFiles }: NonNullable<WorkspaceFacts["git"]>): string {
  if (changedFiles === undefined) return `branch ${nameInWords(branch)}`;
  return `branch ${nameInWords(branch)}, ${changedFiles === 0 ? "no changes" : `${changedFiles} changed files`}`;
}
