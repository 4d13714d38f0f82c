import { basename } from "node:path";
import { readRegularFile } from "@harness/host";
import type { Inventory } from "./inventory.ts";
import { ReadEntries } from "./read-entries.ts";
import type { EntryKind, Source, SourceEntry } from "./source.ts";

const MAX_BYTES = 64 * 1024;

/**
 * Leaves out sources of other providers: a source with a provider of its own name is only for that provider, or one
 * with its protocol, or one whose file it holds. Providers themselves can be chosen from all sources.
 */
export class ProviderScope {
  readonly #scoped = new WeakMap<Inventory, Map<string, Inventory>>();
  readonly #protocols = new ReadEntries(({ path }) => confProtocol(path));

  /** The same object for the same inventory and provider; the inventory itself if nothing is left out. */
  of(inventory: Inventory, provider: string): Inventory {
    const known = this.#scoped.get(inventory) ?? new Map<string, Inventory>();
    this.#scoped.set(inventory, known);
    const scoped = known.get(provider) ?? this.#made(inventory, provider);
    known.set(provider, scoped);
    return scoped;
  }

  #made(inventory: Inventory, provider: string): Inventory {
    const providers = inventory.of("provider");
    const active = providers.findLast(({ name }) => name === provider);
    const protocol = active?.path.endsWith(".conf") ? this.#protocols.of(active) : undefined;
    const others = inventory.sources.filter((source) => {
      const names = providers.flatMap((entry) => (entry.source.folder === source.folder ? [entry.name] : []));
      const own = basename(source.folder);
      return names.includes(own) && own !== provider && own !== protocol && !names.includes(provider);
    });
    return others.length === 0 ? inventory : without(inventory, new Set(others), provider);
  }
}

function without(inventory: Inventory, others: ReadonlySet<Source>, provider: string): Inventory {
  const folders = new Set([...others].map(({ folder }) => folder));
  const isOut = ({ kind, source, problem }: SourceEntry) =>
    problem === undefined && kind !== "provider" && folders.has(source.folder);
  const usable = new Map<EntryKind, readonly SourceEntry[]>();
  const entries = inventory.entries.map((entry): SourceEntry => {
    if (!isOut(entry)) return entry;
    const problem = `${entry.path} is not used: it belongs to the provider ${basename(entry.source.folder)}, but ${provider} is chosen.`;
    return { ...entry, problem };
  });
  return {
    sources: inventory.sources.filter((source) => !others.has(source)),
    entries,
    of: (kind) => {
      const known = usable.get(kind) ?? inventory.of(kind).filter((entry) => !isOut(entry));
      usable.set(kind, known);
      return known;
    },
  };
}

/** The protocol in a provider's `.conf` file; `openai` by default, as for providers. */
export function confProtocol(path: string): string | undefined {
  try {
    const text = readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: true }).toString("utf8");
    return /^[ \t]*protocol[ \t]*=[ \t]*(\S+)/m.exec(text)?.[1] ?? "openai";
  } catch {
    return undefined;
  }
}
