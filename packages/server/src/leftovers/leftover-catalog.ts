import { homedir } from "node:os";
import { type Leftover, protocolError } from "@harness/protocol";
import { settingsFile } from "@harness/storage";
import { type FoundLeftover, findLeftovers, ImportRecord, type Leftovers } from "@harness/workspace";
import { applySettings } from "../follow-changes.ts";
import type { HandlerHost } from "../handler-host.ts";

/** Things that other programs left in their places. */
export class LeftoverCatalog {
  readonly #host: HandlerHost;
  readonly #record: ImportRecord;

  constructor(host: HandlerHost) {
    this.#host = host;
    this.#record = new ImportRecord(host.person.settings.configPaths.root);
  }

  list() {
    const { items, version } = this.#find();
    const { answer } = this.#record;
    return { items: items.map(leftover), version, ...(answer === undefined ? {} : { answer }) };
  }

  /** Throws `conflict` if there is something else than the person has seen. */
  async take(version: string): Promise<{ taken: Leftover[]; problems: string[] }> {
    const found = this.#find();
    if (found.version !== version)
      throw protocolError("conflict", "The files have changed since they were listed. Look again: harness import", {});
    const coming = found.items.filter(({ use }) => use !== undefined);
    const done = [this.#takeSettings(coming)];
    const problems = done.flatMap((each) => each.problems);
    const unsaved = this.#record.save("taken");
    return {
      taken: done.flatMap((each) => each.taken).map(leftover),
      problems: unsaved === undefined ? problems : [...problems, unsaved],
    };
  }

  /** Throws `storage_failed` if it cannot be remembered. */
  decline(): void {
    const problem = this.#record.save("declined");
    if (problem !== undefined) throw protocolError("storage_failed", problem);
  }

  #find(): Leftovers {
    const { identity, person } = this.#host;
    const { settings, programHome } = person.settings.configPaths;
    const home = identity.env.HOME ?? homedir();
    return findLeftovers({ home, programHome }, { settings: settingsFile(settings).read().value.values });
  }

  #takeSettings(coming: readonly FoundLeftover[]): { taken: FoundLeftover[]; problems: string[] } {
    const taken = coming.filter(({ use }) => use?.kind === "setting");
    const edits = taken.flatMap(({ use }) => (use?.kind === "setting" ? { key: use.key, value: use.value } : []));
    if (edits.length === 0) return { taken: [], problems: [] };
    const { settings } = this.#host.person.settings.configPaths;
    const { value, state, problems } = settingsFile(settings).read();
    if (state !== "usable") return { taken: [], problems: [...problems] };
    const saved = applySettings(this.#host, edits, value.version);
    if ("problem" in saved) return { taken: [], problems: [saved.problem] };
    this.#host.clients.broadcast("settings/changed", { version: saved.version });
    return { taken, problems: [] };
  }
}

function leftover({ use: _, ...item }: FoundLeftover): Leftover {
  return item;
}
