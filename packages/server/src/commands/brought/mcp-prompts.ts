import type { LiveSession } from "@harness/core";
import type { McpPrompt } from "@harness/mcp";
import { type Content, protocolError } from "@harness/protocol";
import type { McpFolder } from "../../mcp/mcp-folder.ts";
import { promptArguments } from "../../mcp/prompt-arguments.ts";
import { sendMessage } from "../send-message.ts";
import {
  type CommandAnswer,
  type CommandSource,
  type CommandView,
  misused,
  type ServerCommand,
  type SessionContext,
} from "../server-command.ts";

type Found = { folder: McpFolder; server: string; prompt: McpPrompt };

const MAX_DESCRIPTION = 200;

/** Prompts of MCP servers that run, as `/mcp:server:prompt`. `folderOf`: the servers of a session, or of a folder. */
export function mcpPrompts(folderOf: (cwd: string, session?: LiveSession) => McpFolder): CommandSource {
  const all = (cwd: string, session?: LiveSession): Found[] => {
    const folder = folderOf(cwd, session);
    return folder.entries.flatMap(({ view }) => view.prompts.map((prompt) => ({ folder, server: view.name, prompt })));
  };
  return {
    list: (cwd, session) => all(cwd, session).map(viewOf),
    find(name, cwd, session) {
      const found = name.startsWith("mcp:")
        ? all(cwd, session).find((each) => nameOf(each).toLowerCase() === name)
        : undefined;
      return found && commandOf(found);
    },
  };
}

function nameOf({ server, prompt }: Found): string {
  // Blanks and characters that cannot be typed or seen.
  return `mcp:${server}:${prompt.name}`.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, "_");
}

function hintOf({ prompt }: Found): string {
  return prompt.arguments.map(({ name, required }) => (required ? `<${name}>` : `[${name}]`)).join(" ");
}

function viewOf(found: Found): CommandView {
  const { server, prompt } = found;
  const hint = hintOf(found);
  return {
    name: nameOf(found),
    description: (prompt.description || (prompt.title ?? "")).slice(0, MAX_DESCRIPTION),
    ...(hint === "" ? {} : { argumentHint: hint }),
    needsSession: true,
    startsTurn: true,
    origin: { kind: "mcp", owner: "person", from: server },
  };
}

function commandOf(found: Found): ServerCommand {
  return {
    description: found.prompt.description,
    needsSession: true,
    startsTurn: true,
    leavesLane: true,
    run: (context, args) => send(found, context, args),
  };
}

/** What the server makes of the prompt is what the agent is told; the person's message is what was typed. */
async function send(found: Found, context: SessionContext, args: string): Promise<CommandAnswer> {
  const { folder, server, prompt } = found;
  const name = nameOf(found);
  const given = promptArguments(prompt.arguments, args);
  if ("missing" in given) throw misused(`/${name} needs ${given.missing.join(", ")}: /${name} ${hintOf(found)}`);
  const pool = await folder.pool();
  const made = await pool?.getPrompt(server, prompt.name, given.values, { signal: context.signal });
  if (!made || "problem" in made) throw protocolError("conflict", made?.problem ?? `${server} is not running.`, {});
  const words = made.messages.map(({ role, text }) =>
    role === "assistant" && text !== "" ? `(as you answered before) ${text}` : text,
  );
  const attached: Content[] = made.messages.flatMap(({ images }) => images);
  const pieces = [{ text: words.filter((each) => each !== "").join("\n\n") }];
  return await sendMessage(context, {
    text: `/${name}${args === "" ? "" : ` ${args}`}`,
    delivery: "queue",
    more: () => ({ attached, files: [], command: { name: `/${name}`, from: `MCP server ${server}`, pieces } }),
  });
}
