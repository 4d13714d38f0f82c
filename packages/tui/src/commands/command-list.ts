import type { CommandList, KnownCommand } from "../composer/known-command.ts";
import type { AppState } from "../state/app-state.ts";
import type { CommandContext } from "./command-row.ts";
import { windowCommand, windowCommands } from "./index.ts";

type ServerCommand = AppState["serverCommands"][number];

/**
 * The window's commands and then the server's. If a name occurs twice the window's command wins, and a file's command
 * runs as `/user:NAME` or `/project:NAME`.
 */
export function knownCommands({ serverCommands }: Pick<AppState, "serverCommands">): KnownCommand[] {
  const own = Object.entries(windowCommands).map(([name, row]) => knownCommand(name, row));
  return [
    ...own,
    ...serverCommands.flatMap((row) => {
      const name = windowCommand(row.name.toLowerCase()) ? qualified(row) : row.name;
      return name === undefined ? [] : [{ ...knownCommand(name, row), origin: originOf(row) }];
    }),
  ];
}

function knownCommand(
  name: string,
  {
    aliases = [],
    description,
    argumentHint,
  }: Omit<KnownCommand, "names" | "origin"> & { aliases?: readonly string[] | undefined },
): KnownCommand {
  return { names: [name, ...aliases], description, argumentHint };
}

function qualified({ name, origin }: ServerCommand): string | undefined {
  if (origin?.kind !== "markdown" && origin?.kind !== "skill") return undefined;
  return `${origin.owner === "project" ? "project" : "user"}:${name}`;
}

function originOf({ origin }: ServerCommand): string | undefined {
  if (!origin) return undefined;
  if (origin.kind === "mcp") return `MCP ${origin.from}`;
  const owner = origin.owner === "project" ? "project" : "yours";
  return origin.kind === "skill" ? `${owner}, skill` : owner;
}

/** `/new, /clear`, and what may follow. */
export function commandUsage({ names, argumentHint }: KnownCommand): string {
  return `${names.map((name) => `/${name}`).join(", ")}${argumentHint ? ` ${argumentHint}` : ""}`;
}

/** Its purpose; for a command that is not built in, with its origin. */
export function commandPurpose({ description, origin }: KnownCommand): string {
  return origin === undefined ? description : `${description} (${origin})`;
}

export function commandList(context: CommandContext, refresh: CommandList["refresh"]): CommandList {
  return {
    all: () => knownCommands(context.store.get()),
    refresh,
    argumentsOf(name) {
      const row = windowCommand(name);
      return row?.complete?.(context);
    },
  };
}
