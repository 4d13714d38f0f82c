import type { LiveSession } from "@harness/core";
import { protocolError } from "@harness/protocol";
import type { CommandListing, CommandSource, CommandView, ServerCommand } from "./server-command.ts";

/** The slash commands of all sources, by name: of two with one name that of the earlier source counts. */
export class CommandCatalog {
  readonly #sources: readonly CommandSource[];

  constructor(sources: readonly CommandSource[]) {
    this.#sources = sources;
  }

  async list(cwd: string, session?: LiveSession): Promise<CommandListing> {
    const lists = await Promise.all(this.#sources.map((source) => source.list(cwd, session)));
    const found = new Map<string, CommandView>();
    for (const command of lists.flat()) {
      const key = command.name.toLowerCase();
      const other = found.get(key);
      if (!other) found.set(key, command);
      else found.set(key, { ...other, shadows: [...(other.shadows ?? []), ...placesOf(command)] });
    }
    return { commands: [...found.values()], unused: this.#sources.flatMap((source) => source.unused?.(cwd) ?? []) };
  }

  /** Throws `not_found` with the names that there are. */
  async need(given: string, cwd: string, session?: LiveSession): Promise<ServerCommand> {
    const name = given.toLowerCase();
    for (const source of this.#sources) {
      const command = await source.find(name, cwd, session);
      if (command) return command;
    }
    const { commands, unused } = await this.list(cwd, session);
    const why = unused.find((each) => each.name.toLowerCase() === name);
    const known = commands.map((each) => `/${each.name}`);
    const message = why ? `/${given} cannot be run. ${why.problem}` : `The server has: ${known.join(", ")}.`;
    throw protocolError("not_found", why ? message : `There is no command /${given}. ${message}`, {
      what: "command",
      id: given,
    });
  }
}

function placesOf({ origin, shadows = [] }: CommandView): string[] {
  return [...(origin ? [origin.from] : []), ...shadows];
}
