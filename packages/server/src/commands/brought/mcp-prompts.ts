import { type Content, protocolError } from "@harness/protocol";
import { type McpPrompt, type McpServers, promptArguments } from "@harness/workspace";
import { sendComposed } from "../send-message.ts";
import {
  type CommandAnswer,
  type CommandScope,
  type CommandSource,
  type ListedCommand,
  misused,
  type ServerCommand,
  type SessionContext,
} from "../server-command.ts";

type FoundPrompt = { folder: McpServers; server: string; prompt: McpPrompt };

const MAX_DESCRIPTION = 200;

/**
 * Prompts of MCP servers, as `/mcp:server:prompt`: those of running servers are listed, and typing another prompt
 * starts its server.
 */
export const mcpPrompts: CommandSource = {
  list: (scope) => promptsOf(serversOf(scope)).map(viewOf),
  async find(name, scope) {
    if (!name.startsWith("mcp:")) return undefined;
    const folder = serversOf(scope);
    const problem = await startFor(name, folder);
    const found = promptsOf(folder).find((each) => nameOf(each.server, each.prompt.name).toLowerCase() === name);
    if (found) return commandOf(found);
    return problem === undefined ? undefined : refusing(problem);
  },
};

/** The servers of the session, or else of the folder. */
function serversOf({ mcp, workspace }: CommandScope): McpServers {
  return mcp ?? workspace.brought.mcp.servers();
}

function promptsOf(folder: McpServers): FoundPrompt[] {
  return folder.entries.flatMap(({ view }) => view.prompts.map((prompt) => ({ folder, server: view.name, prompt })));
}

/** Starts the server that a command names, if it is not running; a sentence if it cannot be started. */
async function startFor(name: string, folder: McpServers): Promise<string | undefined> {
  await folder.refresh();
  const named = () =>
    folder.entries.find(({ view }) => name.startsWith(`${nameOf(view.name, "").toLowerCase()}`))?.view;
  const server = named();
  if (!server || server.state === "ready") return undefined;
  await folder.settled(server.name);
  const { name: called, state, problem } = named() ?? server;
  if (state === "ready") return undefined;
  return problem ?? `The MCP server ${called} is not running: harness mcp test ${called} shows why.`;
}

/** A command of a server that cannot be started. */
function refusing(problem: string): ServerCommand {
  return {
    description: problem,
    needsSession: true,
    startsTurn: true,
    run: () => {
      throw protocolError("conflict", problem, {});
    },
  };
}

function nameOf(server: string, prompt: string): string {
  // Replaces blanks and characters that cannot be typed or seen.
  return `mcp:${server}:${prompt}`.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, "_");
}

function hintOf({ prompt }: FoundPrompt): string {
  return prompt.arguments.map(({ name, required }) => (required ? `<${name}>` : `[${name}]`)).join(" ");
}

function viewOf(found: FoundPrompt): ListedCommand {
  const { server, prompt } = found;
  const hint = hintOf(found);
  return {
    name: nameOf(server, prompt.name),
    description: (prompt.description || (prompt.title ?? "")).slice(0, MAX_DESCRIPTION),
    ...(hint === "" ? {} : { argumentHint: hint }),
    needsSession: true,
    startsTurn: true,
    origin: { kind: "mcp", owner: "person", from: server },
  };
}

function commandOf(found: FoundPrompt): ServerCommand {
  return {
    description: found.prompt.description,
    needsSession: true,
    startsTurn: true,
    leavesLane: true,
    run: (context, args) => send(found, context, args),
  };
}

/** The agent gets the prompt as filled in by the server; the user's message is the typed text. */
async function send(found: FoundPrompt, context: SessionContext, args: string): Promise<CommandAnswer> {
  const { folder, server, prompt } = found;
  const name = nameOf(server, prompt.name);
  const promptArgs = promptArguments(prompt.arguments, args);
  if ("missing" in promptArgs)
    throw misused(`/${name} needs ${promptArgs.missing.join(", ")}: /${name} ${hintOf(found)}`);
  const pool = await folder.pool();
  const made = await pool?.getPrompt(server, prompt.name, promptArgs.values, { signal: context.signal });
  if (!made || "problem" in made) throw protocolError("conflict", made?.problem ?? `${server} is not running.`, {});
  const words = made.messages.map(({ role, text }) =>
    role === "assistant" && text !== "" ? `(as you answered before) ${text}` : text,
  );
  const attached: Content[] = made.messages.flatMap(({ images }) => images);
  const pieces = [{ text: words.filter((each) => each !== "").join("\n\n") }];
  return await sendComposed(context, {
    text: `/${name}${args === "" ? "" : ` ${args}`}`,
    delivery: "queue",
    more: () => ({ attached, files: [], command: { name: `/${name}`, from: `MCP server ${server}`, pieces } }),
  });
}
