import type { CommandList, KnownCommand } from "../composer/known-command.ts";
import type { AppState } from "../state/app-state.ts";
import type { CommandContext } from "./command-row.ts";
import { windowCommand, windowCommands } from "./index.ts";

/** The window's commands and then the server's; of two with one name the window's counts. */
export function knownCommands({ serverCommands }: Pick<AppState, "serverCommands">): KnownCommand[] {
  const own = Object.entries(windowCommands).map(([name, row]) => knownCommand(name, row));
  return [
    ...own,
    ...serverCommands.filter(({ name }) => !windowCommand(name)).map((row) => knownCommand(row.name, row)),
  ];
}

function knownCommand(
  name: string,
  { aliases = [], description, argumentHint }: Omit<KnownCommand, "names"> & { aliases?: readonly string[] },
): KnownCommand {
  return { names: [name, ...aliases], description, argumentHint };
}

/** `/new, /clear`, and what may follow. */
export function commandUsage({ names, argumentHint }: KnownCommand): string {
  return `${names.map((name) => `/${name}`).join(", ")}${argumentHint ? ` ${argumentHint}` : ""}`;
}

export function commandList(context: CommandContext): CommandList {
  return {
    all: () => knownCommands(context.store.get()),
    argumentsOf(name) {
      const row = windowCommand(name);
      return row && (row.complete?.(context) ?? Promise.resolve([]));
    },
  };
}
