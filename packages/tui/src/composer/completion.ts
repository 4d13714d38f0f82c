import type { WindowHost } from "../client/window-host.ts";
import {
  type Completion,
  type CompletionItem,
  type CompletionQuery,
  type ComposerState,
  completionQuery,
} from "../state/composer.ts";
import type { CommandList } from "./known-command.ts";
import { mcpItems } from "./mcp-completion.ts";

/** Questions to the server wait for a frame's time, so that fast typing asks once. */
const SETTLE_MS = 33;
const MAX_FILES = 20;

/** Finds completions of the word at the cursor. */
export class CompletionController {
  readonly #host: WindowHost;
  readonly #commands: CommandList;
  #stop: (() => void) | undefined;
  /** Grows with each change of the text: an answer for an older one is thrown away. */
  #round = 0;

  constructor(host: WindowHost, commands: CommandList) {
    this.#host = host;
    this.#commands = commands;
  }

  /** The composer after an edit, with its completions; those that the server knows come later. */
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
      return { ...next, completion: shown(query, this.#commandItems(query.query)) };
    }
    const round = this.#round;
    this.#stop = this.#host.clock.after(SETTLE_MS, () => void this.#ask(query, round));
    // Until the answer comes, the items found so far stay, as far as they still fit.
    const known = before.completion?.kind === query.kind ? before.completion.items : [];
    return {
      ...next,
      completion: shown(
        query,
        known.filter(({ label }) => fits(label, query.query)),
      ),
    };
  }

  /** The list of commands as it is known may be out of date when the first letter is typed. */
  async #lookAgain(query: CompletionQuery, round: number): Promise<void> {
    await this.#commands.refresh();
    this.#take(shown(query, this.#commandItems(query.query)), round);
  }

  async #ask(query: CompletionQuery, round: number): Promise<void> {
    this.#take(shown(query, await this.#items(query)), round);
  }

  #take(completion: Completion | undefined, round: number): void {
    const { store } = this.#host;
    const { composer } = store.get();
    if (round !== this.#round || (!completion && !composer.completion)) return;
    store.set({ composer: { ...composer, completion } });
  }

  async #items(query: CompletionQuery): Promise<readonly CompletionItem[]> {
    const { server, store } = this.#host;
    try {
      if (query.kind === "argument") {
        const ofServers = await mcpItems(this.#host, query);
        if (ofServers.length > 0) return ofServers.slice(0, MAX_FILES);
        const items = (await this.#commands.argumentsOf(query.command)) ?? this.#hintItems(query);
        return items.filter(({ label }) => fits(label, query.query)).slice(0, MAX_FILES);
      }
      const { cwd } = store.get();
      const [{ paths }, ofServers] = await Promise.all([
        server.call("files/search", { cwd, query: query.query, limit: MAX_FILES }),
        mcpItems(this.#host, query).catch(() => []),
      ]);
      const files = paths.map((path) => ({
        label: path,
        detail: "",
        insert: `@${path}${path.endsWith("/") ? "" : " "}`,
      }));
      return [...ofServers, ...files].slice(0, MAX_FILES);
    } catch {
      // Completion is a convenience: without an answer the person types on.
      return [];
    }
  }

  /** The words in the hint of a server's command (`[last N | clear]`) that may follow it, once one is begun. */
  #hintItems({ command, query }: { command: string; query: string }): CompletionItem[] {
    const { argumentHint = "" } =
      this.#commands.all().find(({ names }) => names.some((name) => name.toLowerCase() === command.toLowerCase())) ??
      {};
    // Without a letter Enter runs the command as typed; a hint without a choice is prose.
    if (query === "" || !argumentHint.includes("|")) return [];
    const words = argumentHint.match(/(?<![\w-])[a-z][a-z-]+(?![\w-])/g) ?? [];
    return [...new Set(words)].map((word) => ({ label: word, detail: "", insert: word }));
  }

  #commandItems(query: string): CompletionItem[] {
    const wanted = query.toLowerCase();
    // An alias is offered when it is the name being typed.
    const known = this.#commands.all().map(({ names, ...row }) => {
      const name =
        names.find((each) => each.toLowerCase().startsWith(wanted)) ??
        names.find((each) => each.toLowerCase().includes(wanted));
      return { ...row, name: name ?? names[0] };
    });
    // The name typed in full comes first: Enter must never run another command than the one that is typed.
    const first = known
      .filter(({ name }) => name.toLowerCase().startsWith(wanted))
      .sort((a, b) => Number(b.name.toLowerCase() === wanted) - Number(a.name.toLowerCase() === wanted));
    const rest = known.filter(({ name }) => {
      const lower = name.toLowerCase();
      return !lower.startsWith(wanted) && lower.includes(wanted);
    });
    return [...first, ...rest].map(({ name, description, argumentHint, origin }) => ({
      label: `/${name}`,
      detail: [argumentHint, origin ? `${origin}: ${description}` : description].filter(Boolean).join("  "),
      insert: argumentHint ? `/${name} ` : `/${name}`,
    }));
  }
}

function shown({ kind, from, to }: CompletionQuery, items: readonly CompletionItem[]): Completion | undefined {
  return items.length === 0 ? undefined : { kind, from, to, items, selected: 0 };
}

/** All letters of the query, in order. */
function fits(label: string, query: string): boolean {
  let at = 0;
  const text = label.toLowerCase();
  for (const letter of query.toLowerCase()) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
