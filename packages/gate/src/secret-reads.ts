import type { FactView, StoredFact } from "@harness/protocol";
import type { Approval } from "./approval.ts";
import type { CommandFindings } from "./findings/find-in-command.ts";
import { isSecret } from "./places/secret-files.ts";
import { programOf } from "./programs/programs.ts";

/**
 * Remembers whether a file that may hold secrets was read in a session: what then leads out of the machine could carry
 * them. The log says it of each call before it runs, so that it is known when the session is opened again.
 */
export class SecretReads implements FactView {
  #saw = false;

  get saw(): boolean {
    return this.#saw;
  }

  see({ update }: StoredFact): void {
    if (update.sessionUpdate === "tool_call_update" && update.readsSecrets) this.#saw = true;
  }
}

/**
 * Does a call read files that may hold secrets, as far as its arguments show? Its output may also contain files it does
 * not name, unless it runs as it was checked and skips them.
 */
export function readsSecrets({ resolved, checked }: Pick<Approval, "resolved" | "checked">): boolean {
  return resolved.some(
    ({ effect, realPath, command }) =>
      (effect.kind === "read" && (isSecret(effect.path) || isSecret(realPath ?? effect.path))) ||
      command?.readPaths.some(isSecret) === true ||
      (command !== undefined && command.secrets.length > 0) ||
      (command !== undefined && !checked && printsFiles(command.findings)),
  );
}

function printsFiles({ views, guesses }: CommandFindings): boolean {
  return [views, guesses].some((each) =>
    each.some(([program = "", ...args]) => programOf(program).printsFiles?.(args) === true),
  );
}
