import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { diskProblem, errorCode, makeFolder, removeIfThere, writeAtomically, writeNewFile } from "@harness/host";
import type { AgentDefinition } from "@harness/protocol";
import { agentText } from "./agent-text.ts";
import { readAgent } from "./read-agent.ts";

/** `exists`: there is a file of this name; `invalid`: no file of it could be read back. All are sentences. */
export type SaveAgentProblem = { kind: "invalid" | "exists" | "failed"; problem: string };

/** A folder of files of agents; a private one is for this user alone. */
export type AgentFolder = { folder: string; isPrivate: boolean };

/** Names that every file system takes, and that a person can type. */
const FILE_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** Writes a definition to the file of its name; returns its path. */
export function saveAgent(
  { folder, isPrivate }: AgentFolder,
  definition: AgentDefinition,
  { replace }: { replace: boolean },
): { path: string } | SaveAgentProblem {
  const text = agentText(definition);
  const problem = invalid(definition, text);
  if (problem !== undefined) return { kind: "invalid", problem };
  const path = fileOf(folder, definition.name);
  try {
    makeFolder(folder, isPrivate ? 0o700 : 0o777);
    const options = { mode: isPrivate ? 0o600 : 0o644, durable: "name" } as const;
    if (replace) writeAtomically(path, text, options);
    else writeNewFile(path, text, options);
    return { path };
  } catch (error) {
    if (errorCode(error) === "EEXIST") {
      return { kind: "exists", problem: `There is an agent ${definition.name} already: ${path}` };
    }
    return { kind: "failed", problem: diskProblem(error, `save the agent ${definition.name}`, path) };
  }
}

/** Why an agent cannot be called so; undefined: it can. */
export function agentNameProblem(name: string): string | undefined {
  if (FILE_NAME.test(name)) return undefined;
  return `${JSON.stringify(name)} cannot be the name: it must begin with a small letter or a digit and have only these, - and _, such as code-reviewer.`;
}

/** False where there was none. */
export function removeAgent({ folder }: AgentFolder, name: string): boolean {
  return FILE_NAME.test(name) && removeIfThere(fileOf(folder, name));
}

function fileOf(folder: string, name: string): string {
  return join(folder, `${name}.md`);
}

/** Valid is what is read back as it was written. */
function invalid(definition: AgentDefinition, text: string): string | undefined {
  const { name } = definition;
  const wrong = agentNameProblem(name);
  if (wrong !== undefined) return wrong;
  const read = readAgent(text, name);
  if ("problem" in read) return `The agent is not valid: ${read.problem}.`;
  const prompt = definition.prompt.trim();
  const given = new Map(Object.entries({ ...definition, prompt }));
  const held = new Map(Object.entries(read.definition));
  const changed = [...given.keys()].filter((key) => !isDeepStrictEqual(given.get(key), held.get(key)));
  if (changed.length === 0) return undefined;
  return `The agent is not valid: its file could not hold ${changed.join(", ")} as given.`;
}
