import { realpathSync, unlinkSync } from "node:fs";
import { basename, join } from "node:path";
import {
  blockForLock,
  diskProblem,
  errorCode,
  type Lock,
  lockedProblem,
  makeFolder,
  readRegularFile,
  replaceFile,
  writeNewFile,
} from "@harness/host";
import type { AgentDefinition } from "@harness/protocol";
import { MAX_BYTES } from "../text/read-entry-text.ts";
import { agentText } from "./agent-text.ts";
import { editedAgentText, type MeaningOf, sameValue } from "./edit-agent-text.ts";
import { type AgentReading, readAgent } from "./read-agent.ts";

/** `exists`: there is a file of this name; `invalid`: the file could not be read back. All are sentences. */
export type SaveAgentProblem = { kind: "invalid" | "exists" | "held" | "failed"; problem: string };

/** A folder of agent files; a private one is for this user alone. */
export type AgentFolder = { folder: string; isPrivate: boolean };

/** Others hold the lock for a few milliseconds at most. */
const LOCK_WAIT_MS = 2_000;

/** Names that every file system accepts, and that are easy to type. */
const FILE_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/**
 * The file currently in effect for an agent. If it cannot be edited in place, a copy is written that takes precedence
 * over it.
 */
type OwnFile = { path: string; isInPlace: boolean };
type SaveOptions = { replace: boolean; own: OwnFile | undefined; meaningOf: MeaningOf };

/** Writes a definition to the file of its name, or to its existing file, under a lock; returns its path. */
export function saveAgent(
  where: AgentFolder,
  definition: AgentDefinition,
  options: SaveOptions,
): { path: string } | SaveAgentProblem {
  const { name } = definition;
  const { own } = options;
  const wrong = own ? undefined : agentNameProblem(name);
  if (wrong !== undefined) return { kind: "invalid", problem: wrong };
  const path = own?.isInPlace ? own.path : fileOf(where.folder, own ? basename(own.path, ".md") : name);
  let lock: Lock | undefined;
  try {
    makeFolder(where.folder, where.isPrivate ? 0o700 : 0o777);
    const lockPath = `${path}.lock`;
    const taken = blockForLock(lockPath, LOCK_WAIT_MS);
    if (!("release" in taken)) return { kind: "held", problem: lockedProblem(`${path} is`, lockPath, taken) };
    lock = taken;
    return saveLocked(path, where, definition, options);
  } catch (error) {
    return { kind: "failed", problem: diskProblem(error, `save the agent ${name}`, path) };
  } finally {
    lock?.release();
  }
}

function saveLocked(
  path: string,
  { isPrivate }: AgentFolder,
  definition: AgentDefinition,
  { replace, own, meaningOf }: SaveOptions,
): { path: string } | SaveAgentProblem {
  const { name } = definition;
  const before = replace ? (textOf(path) ?? (own && textOf(own.path))) : undefined;
  const fileName = basename(path).replace(/\.md$/i, "");
  const text =
    before === undefined ? agentText(definition) : editedAgentText(before, definition, { fileName, meaningOf });
  const problem = invalid(definition, readAgent(text, fileName), meaningOf);
  if (problem !== undefined) return { kind: "invalid", problem };
  const mode = isPrivate ? 0o600 : 0o644;
  try {
    // The target of a link keeps its owner and its mode.
    if (replace) replaceFile(path, text, { mode, keepMode: true });
    else writeNewFile(path, text, { mode, durable: "name" });
    return { path };
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    return { kind: "exists", problem: `Agent ${name} already exists: ${path}` };
  }
}

/** Why an agent cannot have this name; undefined if it can. */
export function agentNameProblem(name: string): string | undefined {
  if (FILE_NAME.test(name)) return undefined;
  return `${JSON.stringify(name)} is not a valid name: start with a lowercase letter or a digit and use only these, - and _, such as code-reviewer.`;
}

/** Returns false if there was none; a sentence if it could not be removed. */
export function removeAgent({ folder }: AgentFolder, name: string): boolean | { problem: string } {
  if (!FILE_NAME.test(name)) return false;
  const path = fileOf(folder, name);
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return false;
    return { problem: diskProblem(error, `remove the agent ${name}`, path) };
  }
}

function fileOf(folder: string, name: string): string {
  return join(folder, `${name}.md`);
}

/** A definition is valid if it is read back as it was written. */
function invalid(definition: AgentDefinition, read: AgentReading, meaningOf: MeaningOf): string | undefined {
  if ("problem" in read) return `The agent is not valid: ${read.problem}.`;
  const prompt = definition.prompt.trim();
  const fields = new Map(Object.entries({ ...definition, prompt }));
  const held = new Map(Object.entries(read.definition));
  const changed = [...fields.keys()].filter((key) => !sameValue(fields.get(key), held.get(key), meaningOf));
  if (changed.length === 0) return undefined;
  return `The agent is not valid: its file cannot store ${changed.join(", ")} as given.`;
}

/** Undefined if there is no readable file. */
function textOf(path: string): string | undefined {
  try {
    return readRegularFile(realpathSync(path), { maxBytes: MAX_BYTES, followLinks: false }).toString("utf8");
  } catch {
    return undefined;
  }
}
