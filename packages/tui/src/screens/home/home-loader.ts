import type { ServerLink } from "../../client/server-link.ts";
import type { Store } from "../../state/store.ts";

/** Home's list is a glance; History has all. */
const RECENT = 9;

/** Reads what Home shows: sessions, the model, the server's commands. Never rejects: without an answer it shows less. */
export function homeLoader(store: Store, link: Pick<ServerLink, "call">, cwd: string) {
  const recent = async (): Promise<void> => {
    const found = await link.call("session/list", { cwd, limit: RECENT }).catch(() => undefined);
    if (found) store.dispatch({ type: "recentListed", sessions: found.sessions });
  };
  const providers = async (): Promise<void> => {
    const found = await link.call("providers/list", {}).catch(() => undefined);
    if (!found) return;
    const { selected, advice = [] } = found;
    store.dispatch({ type: "providersListed", providers: { ...(selected ? { selected } : {}), advice } });
  };
  const commands = async (): Promise<void> => {
    const found = await link.call("commands/list", {}).catch(() => undefined);
    if (found) store.dispatch({ type: "commandsListed", commands: found.commands });
  };
  return {
    providers,
    recent: async (): Promise<void> => {
      await Promise.all([recent(), providers()]);
    },
    all: async (): Promise<void> => {
      await Promise.all([recent(), providers(), commands()]);
    },
  };
}
