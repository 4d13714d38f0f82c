import { commandsOf, frontCommand } from "@harness/client/commands";
import type { CommandList, KnownCommand } from "../composer/known-command.ts";
import type { AppState } from "../state/app-state.ts";
import type { WindowFront } from "./window-front.ts";

type ServerCommand = AppState["serverCommands"][number];

/**
 * The window's commands and then the server's. The window's wins a name conflict; a file's command can still be run as
 * `/user:NAME` or `/project:NAME`.
 */
export function knownCommands({ serverCommands }: Pick<AppState, "serverCommands">): KnownCommand[] {
  const own = commandsOf("window").map(({ names, words, hint }) => ({ names, description: words, argumentHint: hint }));
  return [
    ...own,
    ...serverCommands.flatMap((row) => {
      const name = frontCommand("window", row.name.toLowerCase()) ? qualified(row) : row.name;
      const { aliases = [], description, argumentHint } = row;
      return name === undefined
        ? []
        : [{ names: [name, ...aliases] as const, description, argumentHint, origin: originOf(row) }];
    }),
  ];
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

/** Its purpose; followed by its origin if it is not built in. */
export function commandPurpose({ description, origin }: KnownCommand): string {
  return origin === undefined ? description : `${description} (${origin})`;
}

export function commandList(front: WindowFront, all: CommandList["all"], refresh: CommandList["refresh"]): CommandList {
  return { all, refresh, argumentsOf: (name) => frontCommand("window", name)?.complete?.(front) };
}
