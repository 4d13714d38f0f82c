import type { HarnessClient } from "@harness/client";
import { wordList } from "@harness/protocol";

/** The offer to take over what other programs left, in a sentence; undefined: there is none, or it was made before. Never rejects. */
export async function importOffer(client: HarnessClient): Promise<string | undefined> {
  const { programs } = (await client.call("import/offer", {}).catch(() => undefined)) ?? { programs: [] };
  if (programs.length === 0) return undefined;
  return `harness import takes over the settings and sessions of ${wordList(programs, "and")}.`;
}
