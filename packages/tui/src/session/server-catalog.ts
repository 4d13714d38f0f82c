import type { WindowHost } from "../client/window-host.ts";

type Host = Pick<WindowHost, "store" | "server">;

/** Providers that the server has. Never rejects: without an answer the window shows less. */
export async function loadProviders({ store, server }: Host): Promise<void> {
  const found = await server.call("providers/list", {}).catch(() => undefined);
  if (!found) return;
  const { selected, advice = [] } = found;
  store.set({ providers: { ...(selected ? { selected } : {}), advice } });
}

/** Commands that the server has; never rejects either. */
export async function loadCommands({ store, server }: Host): Promise<void> {
  const found = await server.call("commands/list", {}).catch(() => undefined);
  if (found) store.set({ serverCommands: found.commands });
}
