import { protocolError } from "@harness/protocol";
import type { CommandListing, CommandScope, CommandSource, ListedCommand, ServerCommand } from "./server-command.ts";

/** The slash commands of all sources, by name; if a name occurs twice, the earlier source wins. */
export class CommandCatalog {
  readonly #sources: readonly CommandSource[];

  constructor(sources: readonly CommandSource[]) {
    this.#sources = sources;
  }

  /** `typed`: a name whose command is wanted even if it is in no list. */
  async list(scope: CommandScope, typed?: string): Promise<CommandListing> {
    const lists = await Promise.all(this.#sources.map((source) => source.list(scope)));
    const found = new Map<string, ListedCommand>();
    for (const command of lists.flat()) {
      const key = command.name.toLowerCase();
      const other = found.get(key);
      const places = placesOf(command);
      if (!other) found.set(key, command);
      else if (places.length > 0) found.set(key, { ...other, shadows: [...(other.shadows ?? []), ...places] });
    }
    const commands = [...found.values()].map((command) => withFreeAliases(command, found));
    const names = new Set(commands.flatMap(({ name, aliases = [] }) => [name.toLowerCase(), ...aliases]));
    const other = typed === undefined || names.has(typed.toLowerCase()) ? undefined : await this.#named(typed, scope);
    return {
      commands: [...commands, ...(other ? [other] : [])],
      unused: this.#sources.flatMap((source) => source.unused?.(scope) ?? []),
    };
  }

  /** Throws `not_found` with the existing names. */
  async need(typedName: string, scope: CommandScope): Promise<ServerCommand> {
    const command = await this.#find(typedName, scope);
    if (command) return command;
    const name = typedName.toLowerCase();
    const { commands, unused } = await this.list(scope);
    const why = unused.find((each) => each.name.toLowerCase() === name);
    const known = commands.map((each) => `/${each.name}`);
    const message = why ? `/${typedName} cannot be run. ${why.problem}` : `The commands are: ${known.join(", ")}.`;
    throw protocolError("not_found", why ? message : `There is no command /${typedName}. ${message}`, {
      what: "command",
      id: typedName,
    });
  }

  async #find(typedName: string, scope: CommandScope): Promise<ServerCommand | undefined> {
    for (const source of this.#sources) {
      const command = await source.find(typedName.toLowerCase(), scope);
      if (command) return command;
    }
    return undefined;
  }

  async #named(typed: string, scope: CommandScope): Promise<ListedCommand | undefined> {
    const command = await this.#find(typed, scope);
    if (!command) return undefined;
    const { description, argumentHint, needsSession, startsTurn } = command;
    return {
      name: typed.toLowerCase(),
      description,
      ...(argumentHint === undefined ? {} : { argumentHint }),
      needsSession,
      ...(startsTurn ? { startsTurn } : {}),
    };
  }
}

/** An alias only means a command as long as no other command has that name. */
function withFreeAliases(command: ListedCommand, named: ReadonlyMap<string, unknown>): ListedCommand {
  const { aliases, ...view } = command;
  const free = aliases?.filter((alias) => !named.has(alias)) ?? [];
  return free.length > 0 ? { ...view, aliases: free } : view;
}

function placesOf({ origin, shadows = [] }: ListedCommand): string[] {
  return [...(origin ? [origin.from] : []), ...shadows];
}
