import type { EditChecks, EditReport, FileEdits } from "@harness/core";

/** Several checks as one. */
export class JoinedChecks implements EditChecks {
  readonly #all: readonly EditChecks[];

  constructor(all: readonly EditChecks[]) {
    this.#all = all;
  }

  async before(edits: FileEdits, signal: AbortSignal): Promise<void> {
    await Promise.all(this.#all.map((checks) => checks.before(edits, signal)));
  }

  async after(edits: FileEdits & { readonly commands: boolean }, signal: AbortSignal): Promise<EditReport | undefined> {
    return joined(await Promise.all(this.#all.map((checks) => checks.after(edits, signal))));
  }

  late(agent: Pick<FileEdits, "agentId">): EditReport | undefined {
    return joined(this.#all.map((checks) => checks.late(agent)));
  }

  reviewed(): void {
    for (const checks of this.#all) checks.reviewed();
  }
}

function joined(reports: readonly (EditReport | undefined)[]): EditReport | undefined {
  const said = reports.filter((report) => report !== undefined);
  if (said.length === 0) return undefined;
  const shown = said.flatMap((report) => report.shown ?? []);
  return { text: said.map(({ text }) => text).join("\n"), ...(shown.length > 0 ? { shown: shown.join("\n") } : {}) };
}
