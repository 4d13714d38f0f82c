import { type Input, schemaArgs, type Tool } from "@harness/core";
import { plainLine, plainLines } from "@harness/host";
import type { Effect } from "@harness/protocol";
import type { McpServerConfig } from "../config/server-config.ts";
import type { McpProgress } from "../connection/connection.ts";
import type { McpTool } from "../connection/server-lists.ts";
import type { McpPool } from "../pool/mcp-pool.ts";
import { answeringModel } from "../questions/answering-model.ts";
import { askingPerson } from "../questions/asking-person.ts";
import { argumentLines } from "./argument-lines.ts";
import { mcpEffect } from "./mcp-effect.ts";
import { type FitPicture, shownOutcome } from "./shown-outcome.ts";
import { type McpPins, pinKey, toolHash } from "./tool-pins.ts";

const MAX_DESCRIPTION = 1_000;
const MAX_TITLE = 200;
const MAX_PROGRESS = 500;

/** `name`: the tool's name for models. */
export type NamedMcpTool = { name: string; config: McpServerConfig; tool: McpTool };

export type McpToolUse = { pool: Pick<McpPool, "callTool">; pins: McpPins; fitPicture: FitPicture };

/** A server's tool as a tool of the session; a sentence if its schema cannot be used. */
export function mcpTool(
  { name, config, tool }: NamedMcpTool,
  { pool, pins, fitPicture }: McpToolUse,
): Tool<Input> | { problem: string } {
  const checked = schemaArgs(tool.inputSchema);
  const server = config.name;
  const shown = `${plainLine(server, 60)}/${plainLine(tool.name, 100)}`;
  if ("problem" in checked) return { problem: `The tool ${shown} is left out: ${checked.problem}.` };
  const { readOnlyHint, destructiveHint } = tool.annotations;
  const key = pinKey(config, tool.name);
  const hash = toolHash(tool);
  const isOther = () => (pins.pinned(key) ?? hash) !== hash;
  const plain = mcpEffect(config, tool.name);
  const effect = (): Effect => ({
    ...plain,
    ...(destructiveHint === true && readOnlyHint !== true ? { destructive: true } : {}),
    ...(isOther() ? { changed: true } : {}),
  });
  return {
    name,
    description: descriptionOf(server, tool),
    ...checked,
    // A server's own claims decide which modes have the tool, never whether a call is asked about.
    category: readOnlyHint === true ? "readOnly" : "destructive",
    subject: "mcp",
    mcp: { server, tool: tool.name },
    offer: "any-room",
    effects: () => [effect()],
    title: (args) => plainLine(`${shown} ${JSON.stringify(args)}`, MAX_TITLE),
    async preview(args) {
      const lines = argumentLines(args);
      if (isOther())
        lines.unshift(
          "The server has changed its description:",
          plainLines(descriptionOf(server, tool), MAX_DESCRIPTION),
          "",
        );
      return [{ type: "text", text: lines.join("\n") }];
    },
    async run(args, context) {
      // The user or a rule has allowed it in its current form.
      pins.pin(key, hash);
      const { ask, notes } = askingPerson(context.ask);
      const onProgress = (progress: McpProgress) => context.emit(progressLine(progress));
      const sample = answeringModel(context, notes);
      const { signal, traceparent } = context;
      const options = { signal, onProgress, ask, sample, traceparent };
      const outcome = await pool.callTool(server, tool.name, args, options);
      return shownOutcome(outcome, { origin: `Answer of ${shown}`, notes, fitPicture, signal: context.signal });
    },
  };
}

/** Begins with the server's name, so that nobody mistakes it for harness's words. */
function descriptionOf(server: string, { title, description }: McpTool): string {
  const words = plainLines(description, MAX_DESCRIPTION) || plainLine(title ?? "", MAX_TITLE);
  return `MCP server ${plainLine(server, 60)}${words === "" ? "" : `: ${words}`}`;
}

function progressLine({ progress, total, message }: McpProgress): string {
  const counted = total === undefined ? `${progress}` : `${progress}/${total}`;
  return `${counted}${message === undefined ? "" : ` ${plainLine(message, MAX_PROGRESS)}`}\n`;
}
