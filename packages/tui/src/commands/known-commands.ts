import type { AppState } from "../state/app-state.ts";
import { windowCommands } from "./index.ts";

export type KnownCommand = {
  readonly name: string;
  readonly description: string;
  readonly argumentHint?: string | undefined;
};

/** The window's commands and then the server's; of two with one name the window's counts. */
export function knownCommands({ serverCommands }: Pick<AppState, "serverCommands">): KnownCommand[] {
  const own = Object.entries(windowCommands).map(([name, { description, argumentHint }]) => ({
    name,
    description,
    argumentHint,
  }));
  return [...own, ...serverCommands.filter(({ name }) => !Object.hasOwn(windowCommands, name))];
}
