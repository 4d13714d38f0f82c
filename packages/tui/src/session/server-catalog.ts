import type { WindowHost } from "../client/window-host.ts";

type Host = Pick<WindowHost, "store" | "server">;

/** Loads the server's providers. Never rejects: if the request fails, the window shows less. */
export async function loadProviders({ store, server }: Host): Promise<void> {
  const found = await server.call("providers/list", {}).catch(() => undefined);
  if (!found) return;
  const { selected, providers: views } = found;
  store.set({ providers: { ...(selected ? { selected } : {}), views } });
}

/**
 * Loads the server's commands for the session in view, or for the folder, and looks up `typed` there. Returns the
 * reason if that cannot be run and the server knows why. Never rejects either.
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
