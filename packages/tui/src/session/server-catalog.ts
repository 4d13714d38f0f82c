import type { WindowHost } from "../client/window-host.ts";

type Host = Pick<WindowHost, "store" | "server">;

/** Providers that the server has. Never rejects: without an answer the window shows less. */
export async function loadProviders({ store, server }: Host): Promise<void> {
  const found = await server.call("providers/list", {}).catch(() => undefined);
  if (!found) return;
  const { selected, providers: views } = found;
  store.set({ providers: { ...(selected ? { selected } : {}), views } });
}

/**
 * Commands that the server has for the session in view, or for the folder, with what `typed` means there. Answers why that
 * cannot be run, where the server knows. Never rejects either.
 */
export async function loadCommands({ store, server }: Host, typed?: string): Promise<string | undefined> {
  const { session, cwd } = store.get();
  const place = session ? { sessionId: session.sessionId } : { cwd };
  const found = await server
    .call("commands/list", { ...place, ...(typed === undefined ? {} : { name: typed }) })
    .catch(() => undefined);
  if (!found) return undefined;
  store.set({ serverCommands: found.commands });
  return found.unused.find(({ name }) => name.toLowerCase() === typed)?.problem;
}
