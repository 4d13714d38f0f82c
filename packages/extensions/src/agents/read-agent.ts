import { AgentBudget, type AgentDefinition, PermissionMode, parsePermissionMode } from "@harness/protocol";
import { readFrontmatter } from "../text/frontmatter.ts";
import {
  collapseLines,
  type FieldReading,
  type Fields,
  modelOf,
  names,
  readFlag,
  readMode,
  word,
} from "../text/frontmatter-values.ts";

/**
 * A definition as read from its file, with notes about what was ignored; or why there is none, as the end of a
 * sentence.
 */
export type AgentReading = { definition: AgentDefinition; notes: string[] } | { problem: string };

const MAX_DESCRIPTION = 1_000;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;
/**
 * Names used as addresses of messages between agents: an agent with such a name would get another's messages, or none.
 */
const ADDRESS = /^(?:parent|main|agent-\d+)$/i;
const permissionModes: Readonly<Record<string, PermissionMode>> = {
  acceptEdits: "accept-edits",
  bypassPermissions: "allow-all",
  dontAsk: "deny",
};
/** The names that files use for each limit. */
export const limits: Readonly<Record<keyof AgentBudget, readonly string[]>> = {
  turns: ["turns", "max_turns", "maxTurns", "max_iterations", "maxIterations"],
  tokens: ["tokens"],
  seconds: ["seconds"],
  usd: ["usd"],
};

/** The names that files use for each field; the first one present counts. */
export const agentFieldNames = {
  name: ["name"],
  description: ["description"],
  tools: ["tools"],
  disallowedTools: ["disallowedTools", "disallowed_tools"],
  model: ["model"],
  mode: ["mode"],
  permissionMode: ["permission_mode", "permissionMode"],
  background: ["background"],
  worktree: ["isolation", "worktree"],
} as const satisfies Partial<Record<keyof AgentDefinition, readonly string[]>>;
const knownKeys: ReadonlySet<string> = new Set([
  ...Object.values(agentFieldNames).flat(),
  ...Object.values(limits).flat(),
  "limits",
  "budget",
]);

/** Reads an agent from the text of its file. `fileName`: its default name, without `.md`. */
export function readAgent(text: string, fileName: string): AgentReading {
  const front = readFrontmatter(text.toWellFormed().replaceAll("\0", ""));
  if ("problem" in front) return front;
  const { fields, unread } = front;
  const [, unreadable] = [...unread].find(([key]) => knownKeys.has(key)) ?? [];
  if (unreadable !== undefined) return { problem: unreadable };
  const prompt = front.body.trim();
  const name = collapseLines(fields.get("name")) || fileName;
  const description = collapseLines(fields.get("description"));
  const wrong = wrongText(name, description, prompt);
  if (wrong) return { problem: wrong };
  const parts = {
    tools: names(fields, "tools"),
    disallowedTools: names(fields, "disallowedTools", "disallowed_tools"),
    model: modelOf(fields, "it uses the model of the agent that starts it"),
    mode: readMode(fields),
    permissionMode: permissionModeIn(fields),
    budget: budgetOf(fields),
    background: setOf(fields, "background"),
    worktree: worktreeOf(fields),
  };
  const read: FieldReading<unknown>[] = Object.values(parts);
  const problem = read.find((each) => each.problem !== undefined)?.problem;
  if (problem !== undefined) return { problem };
  const values = Object.entries(parts).flatMap(([key, { value }]) => (value === undefined ? [] : [[key, value]]));
  return {
    definition: { name, description: description.slice(0, MAX_DESCRIPTION), prompt, ...Object.fromEntries(values) },
    notes: read.flatMap(({ note }) => (note === undefined ? [] : [note])),
  };
}

function wrongText(name: string, description: string, prompt: string): string | undefined {
  if (!NAME.test(name))
    return `the name ${JSON.stringify(name.slice(0, 80))} is not valid: use letters, digits, - and _`;
  if (ADDRESS.test(name)) return `the name ${name} is reserved for messages between agents: choose a different one`;
  if (description === "") return 'it has no description: "description: Reviews changes for mistakes." between two ---';
  return prompt === "" ? "it has no prompt: write it below the second ---" : undefined;
}

function permissionModeIn(fields: Fields): FieldReading<PermissionMode> {
  const text = word(fields.get("permission_mode") ?? fields.get("permissionMode"));
  if (text === "") return { value: undefined };
  const lower = text.toLowerCase();
  const [, claude] = Object.entries(permissionModes).find(([name]) => name.toLowerCase() === lower) ?? [];
  const value = parsePermissionMode(lower) ?? claude;
  if (value) return { value };
  return { value, problem: `there is no permission mode ${text}: ${PermissionMode.options.join(", ")}` };
}

/** Maps Claude Code's names of permission modes to ours; other names are returned unchanged. */
export function claudePermissionMode(mode: string): string {
  return Object.entries(permissionModes).find(([, ours]) => ours === mode)?.[0] ?? mode;
}

/** Reads the limits under `limits` or `budget`, or as fields of their own. */
function budgetOf(fields: Fields): FieldReading<AgentBudget> {
  const groups = ["limits", "budget"].map((key) => fields.get(key)).filter((each) => each instanceof Map);
  const budget: Record<string, number> = {};
  for (const [limit, keys] of Object.entries(limits)) {
    const limits = [...groups, fields].flatMap((group) => keys.map((key) => word(group.get(key))));
    const text = limits.find((each) => each !== "");
    if (text !== undefined) budget[limit] = Number(text.replaceAll("_", ""));
  }
  if (Object.keys(budget).length === 0) return { value: undefined };
  const read = AgentBudget.safeParse(budget);
  if (read.success) return { value: read.data };
  const limit = String(read.error.issues[0]?.path[0]);
  return { value: undefined, problem: `the limit ${limit} must be a number above 0` };
}

function worktreeOf(fields: Fields): FieldReading<boolean> {
  return word(fields.get("isolation")).toLowerCase() === "worktree" ? { value: true } : setOf(fields, "worktree");
}

/** A flag that has no effect unless it is set. */
function setOf(fields: Fields, key: string): FieldReading<boolean> {
  const read = readFlag(fields, key);
  return read.value === false ? { value: undefined } : read;
}
