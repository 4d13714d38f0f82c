import { unlinkSync } from "node:fs";
import type { FileExtracts, Tool, ToolContext, ToolResult } from "@harness/core";
import type { Redactor } from "@harness/storage";
import { blankSecretsInFile, redactStream } from "./redact-stream.ts";

/**
 * The same tool with secrets removed from its results: neither the model, a client, nor the log gets a known key, and
 * no file that a result names contains one. Arguments and previews, which the user must judge, stay as they are.
 * `redactor` is called each time, because keys may be added while a tool runs.
 */
export function redactResults(tool: Tool, redactor: () => Redactor): Tool {
  return { ...tool, run: (...call) => runWithout(tool, call, redactor) };
}

async function runWithout(
  tool: Tool,
  [args, context, approval]: Parameters<Tool["run"]>,
  redactor: () => Redactor,
): Promise<ToolResult> {
  const spilled: string[] = [];
  // Read once for the whole stream, which comes in many pieces.
  const now = redactor();
  const live = redactStream(
    () => now,
    (text) => context.emit(text),
  );
  let result: ToolResult;
  try {
    const watched: ToolContext = {
      ...context,
      emit: live.push,
      extracts: context.extracts && withoutSecrets(context.extracts, redactor),
      askModel: context.askModel && withoutSecretsIn(context.askModel, redactor),
      spill(suffix) {
        const path = context.spill(suffix);
        spilled.push(path);
        return path;
      },
    };
    result = await tool.run(args, watched, approval);
  } finally {
    live.end();
    for (const path of spilled) await blankOrRemove(path, redactor());
  }
  const { hide } = redactor();
  return { ...result, text: hide(result.text), blocks: hideIn(result.blocks, hide) };
}

/** A model that chooses lines of a file sees no more of it than the one that reads the result. */
function withoutSecrets(extracts: FileExtracts, redactor: () => Redactor): FileExtracts {
  const { ask } = extracts;
  return { ...extracts, ask: ({ system, text }, signal) => ask({ system, text: redactor().hide(text) }, signal) };
}

/** Removes secrets from questions that a tool passes on for others. */
function withoutSecretsIn(ask: NonNullable<ToolContext["askModel"]>, redactor: () => Redactor): typeof ask {
  return (question, signal) => {
    const { hide } = redactor();
    const messages = question.messages.map(({ role, text }) => ({ role, text: hide(text) }));
    return ask({ ...question, system: hide(question.system), messages }, signal);
  };
}

/** Blanks the secrets in a file, or removes the file if that is impossible. Never rejects. */
export async function blankOrRemove(path: string, redactor: Redactor): Promise<void> {
  try {
    await blankSecretsInFile(path, redactor);
  } catch {
    try {
      unlinkSync(path);
    } catch {
      // The file was removed already, or nobody can access it.
    }
  }
}

/** Hides secrets in every text of a JSON value; returns the value itself if nothing was found. */
function hideIn<T>(value: T, hide: Redactor["hide"]): T {
  if (typeof value === "string") return hide(value) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, hideIn(each, hide)] as const);
  if (entries.every(([name, each]) => (value as Record<string, unknown>)[name] === each)) return value;
  return (Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries)) as T;
}
