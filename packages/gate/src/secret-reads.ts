import type { FactView, StoredFact } from "@harness/protocol";
import type { Approval } from "./approval.ts";
import type { CommandFindings } from "./findings/find-in-command.ts";
import { isSecret } from "./places/secret-files.ts";
import { programOf } from "./programs/programs.ts";

/**
 * Remembers whether the session has read a file that may hold secrets: everything that leaves the machine afterwards
 * could carry them. The log records it before each call runs, so that a reopened session knows it too.
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
 * True if a call reads files that may hold secrets, as far as its arguments show. Its output may also contain files
 * that it does not name, unless it runs as it was checked and skips them.
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
