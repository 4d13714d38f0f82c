import type { AvailableCommand, ContentBlock } from "@agentclientprotocol/sdk/unstable";
import type { HarnessClient } from "@harness/client";
import { commandNamed, readSlashLine, type SlashLine } from "@harness/client/commands";
import { clientCommands } from "./client-commands.ts";

/** The commands that can be typed in a session. */
export async function availableCommands(client: HarnessClient, sessionId: string): Promise<AvailableCommand[]> {
  const { commands } = await client.call("commands/list", { sessionId });
  const listed = commands.map(({ name, description, argumentHint }) => available(name, description, argumentHint));
  const names = new Set(commands.map(({ name }) => name));
  const own = Object.entries(clientCommands).filter(([name]) => !names.has(name));
  return [...listed, ...own.map(([name, { description, hint }]) => available(name, description, hint))];
}

/** A prompt that is a slash command by its form: one text, as it was typed. */
export function slashLineOf(prompt: readonly ContentBlock[]): SlashLine | undefined {
  const [block] = prompt;
  return prompt.length === 1 && block?.type === "text" ? readSlashLine(block.text) : undefined;
}

/** True if the server has a command of this name. */
export async function isServerCommand(client: HarnessClient, sessionId: string, name: string): Promise<boolean> {
  const { commands } = await client.call("commands/list", { sessionId, name });
  return commandNamed(commands, name) !== undefined;
}

function available(name: string, description: string, hint: string | undefined): AvailableCommand {
  return { name, description, ...(hint === undefined ? {} : { input: { hint } }) };
}
