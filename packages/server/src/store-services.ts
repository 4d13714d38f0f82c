import { homedir } from "node:os";
import { runQdrantService, type ServiceAction, type ServiceOutcome } from "@harness/search/services";
import { loadSettings } from "@harness/storage";
import { configPathsOf } from "@harness/storage/paths";
import { nodeClock } from "@harness/workspace";

type StoreServiceOptions = { env: NodeJS.ProcessEnv; signal: AbortSignal; note(text: string): void };

/** Starts and stops the server of one's own that indexes can be kept in, as far as the user's settings allow it. */
export function storeService(
  action: ServiceAction,
  { env, signal, note }: StoreServiceOptions,
): Promise<ServiceOutcome> {
  const configPaths = configPathsOf(env, env.HOME ?? homedir());
  const { values } = loadSettings({ configPaths, cwd: configPaths.root, env, flags: {} });
  return runQdrantService(action, { env, clock: nodeClock, signal, localOnly: values.local_only, note });
}
