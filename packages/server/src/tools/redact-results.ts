import { unlinkSync } from "node:fs";
import type { Tool, ToolContext, ToolResult, ToolTable } from "@harness/core";
import type { Redactor } from "@harness/storage";
import { blankSecretsInFile, redactStream } from "./redact-stream.ts";

/**
 * The same tools, whose results do not hold the keys that this process knows: neither the model, nor a client, nor the
 * log is told them, and no file that a result names holds them. What a person must judge (arguments, previews) is left as
 * it is. `redactor` is asked anew each time: keys are added while a tool runs.
 */
export function redactResults(table: ToolTable, redactor: () => Redactor): ToolTable {
  const tools = table.tools.map((tool): Tool => ({ ...tool, run: (...call) => runWithout(tool, call, redactor) }));
  return { ...table, tools };
}

async function runWithout(
  tool: Tool,
  [args, context, approval]: Parameters<Tool["run"]>,
  redactor: () => Redactor,
): Promise<ToolResult> {
  const spilled: string[] = [];
  // Asked once for the whole stream: it comes in very many pieces.
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

/** Better no file than one with secrets in it. */
async function blankOrRemove(path: string, redactor: Redactor): Promise<void> {
  try {
    await blankSecretsInFile(path, redactor);
  } catch {
    try {
      unlinkSync(path);
    } catch {
      // It is gone already, or nobody can get at it.
    }
  }
}

/** Every text in a value of JSON; the value itself when nothing was found. */
function hideIn<T>(value: T, hide: Redactor["hide"]): T {
  if (typeof value === "string") return hide(value) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, hideIn(each, hide)] as const);
  if (entries.every(([name, each]) => (value as Record<string, unknown>)[name] === each)) return value;
  return (Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries)) as T;
}
