import type { Fact } from "@harness/protocol";
import { isSecret } from "./places/secret-files.ts";
import type { ResolvedEffect } from "./resolved-effect.ts";

/**
 * Remembers whether a file that may hold secrets was read in a session: what then leads out of the machine could carry
 * them. The log says it of each call before it runs, so that it is known when the session is opened again.
 */
export class SecretReads {
  #saw = false;

  get saw(): boolean {
    return this.#saw;
  }

  see(update: Fact): void {
    if (update.sessionUpdate === "tool_call_update" && update.readsSecrets) this.#saw = true;
  }
}

/** Does a call read files that may hold secrets, as far as its arguments tell? */
export function readsSecrets(resolved: readonly ResolvedEffect[]): boolean {
  return resolved.some(
    ({ effect, realPath, command }) =>
      (effect.kind === "read" && (isSecret(effect.path) || isSecret(realPath ?? effect.path))) ||
      command?.readPaths.some(isSecret) === true ||
      (command !== undefined && command.secrets.length > 0),
  );
}
