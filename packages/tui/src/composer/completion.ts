import type { WindowHost } from "../client/window-host.ts";
import {
  type Completion,
  type CompletionItem,
  type CompletionQuery,
  type ComposerState,
  completionQuery,
  NOT_MARKED,
} from "../state/composer.ts";
import { fuzzyRank } from "../text/fuzzy.ts";
import { commandItems, hintItems, takesFiles } from "./command-items.ts";
import type { CommandList, KnownCommand } from "./known-command.ts";
import { mcpItems } from "./mcp-completion.ts";

/** Questions to the server are delayed by a frame, so that fast typing asks once. */
const SETTLE_MS = 33;
const MAX_FILES = 20;

type ArgumentQuery = Extract<CompletionQuery, { kind: "argument" }>;

/** Finds completions of the word at the cursor. */
export class CompletionController {
  readonly #host: WindowHost;
  readonly #commands: CommandList;
  #stop: (() => void) | undefined;
  /** Grows with each change of the text: an answer for an older text is discarded. */
  #round = 0;

  constructor(host: WindowHost, commands: CommandList) {
    this.#host = host;
    this.#commands = commands;
  }

  /** The composer after an edit, with its completions; those from the server follow later. */
  follow(next: ComposerState): ComposerState {
    const { store } = this.#host;
    const before = store.get().composer;
    if (next.buffer === before.buffer && next.search === before.search) return next;
    this.#stop?.();
    this.#round += 1;
    const query = completionQuery(next);
    if (!query) return next.completion ? { ...next, completion: undefined } : next;
    if (query.kind === "command") {
      if (before.completion?.kind !== "command") void this.#lookAgain(query, this.#round);
      return { ...next, completion: this.#shown(query, this.#commandItems(query.query)) };
    }
    const round = this.#round;
    this.#stop = this.#host.clock.after(SETTLE_MS, () => void this.#ask(query, round));
    // Until the answer arrives, earlier items stay as far as they still match.
    const known = before.completion?.kind === query.kind ? before.completion.items : [];
    return {
      ...next,
      completion: this.#shown(
        query,
        known.filter(({ label }) => label !== folderIn(query) && fuzzyRank(label, query.query) !== undefined),
      ),
    };
  }

  /** The known list of commands may be out of date when the first letter is typed. */
  async #lookAgain(query: CompletionQuery, round: number): Promise<void> {
    await this.#commands.refresh();
    this.#take(this.#shown(query, this.#commandItems(query.query)), round);
  }

  async #ask(query: CompletionQuery, round: number): Promise<void> {
    this.#take(this.#shown(query, await this.#items(query)), round);
  }

  #take(completion: Completion | undefined, round: number): void {
    const { store } = this.#host;
    const { composer } = store.get();
    if (round !== this.#round || (!completion && !composer.completion)) return;
    store.set({ composer: { ...composer, completion } });
  }

  async #items(query: CompletionQuery): Promise<readonly CompletionItem[]> {
    try {
      const ofServers = await mcpItems(this.#host, query).catch(() => []);
      if (query.kind === "file") {
        const paths = await this.#paths(query.query);
        return [...ofServers, ...paths.filter((path) => path !== folderIn(query)).map(mentionOf)].slice(0, MAX_FILES);
      }
      if (query.kind !== "argument" || ofServers.length > 0) return ofServers.slice(0, MAX_FILES);
      return (await this.#values(query)).slice(0, MAX_FILES);
    } catch {
      // Completion is a convenience: without an answer the user types on.
      return [];
    }
  }

  /** Completions after a command: values for its first argument, or files. */
  async #values({ command, earlier, query }: ArgumentQuery): Promise<CompletionItem[]> {
    const known = this.#known(command);
    if (known && takesFiles(known))
      return (await this.#paths(query)).map((path) => ({ label: path, detail: "", insert: path }));
    if (earlier !== "") return [];
    const values = (await this.#commands.argumentsOf(command)) ?? (known ? hintItems(known) : []);
    return values
      .flatMap((item) => {
        const rank = fuzzyRank(item.label, query);
        return rank === undefined ? [] : [{ item, rank }];
      })
      .sort((a, b) => a.rank - b.rank)
      .map(({ item }) => item);
  }

  async #paths(query: string): Promise<readonly string[]> {
    const { server, store } = this.#host;
    return (await server.call("files/search", { cwd: store.get().cwd, query, limit: MAX_FILES })).paths;
  }

  #known(command: string): KnownCommand | undefined {
    const wanted = command.toLowerCase();
    return this.#commands.all().find(({ names }) => names.some((name) => name.toLowerCase() === wanted));
  }

  #commandItems(query: string): CompletionItem[] {
    return commandItems(query, { commands: this.#commands.all(), sent: this.#host.store.get().composer.sent });
  }

  /** The command's argument hint while arguments are typed. */
  #hint(query: CompletionQuery): string | undefined {
    const known = query.kind === "argument" ? this.#known(query.command) : undefined;
    return known?.argumentHint === undefined ? undefined : `/${known.names[0]} ${known.argumentHint}`;
  }

  #shown(query: CompletionQuery, items: readonly CompletionItem[]): Completion | undefined {
    const hint = this.#hint(query);
    if (items.length === 0 && hint === undefined) return undefined;
    const { kind, from, to } = query;
    // Before the first letter of an argument, Enter runs the command as it is; a folder is sent as it is.
    const isComplete = (kind === "argument" && query.query === "") || folderIn(query) !== undefined;
    const selected = isComplete ? NOT_MARKED : 0;
    return { kind, from, to, items, selected, hint };
  }
}

/** The folder that is already named: Tab continues below it, and it is not offered again. */
function folderIn({ kind, query }: CompletionQuery): string | undefined {
  return kind === "file" && query.endsWith("/") ? query : undefined;
}

/** How a message names a file; the quotes of a folder stay open. */
function mentionOf(path: string): CompletionItem {
  const isFolder = path.endsWith("/");
  const name = /\s/.test(path) ? `"${path}${isFolder ? "" : '"'}` : path;
  return { label: path, detail: "", insert: `@${name}${isFolder ? "" : " "}` };
}
