import type { FileReport } from "./checks-report.ts";

type LateBatch = { readonly cwd: string; reports: readonly FileReport[] | undefined };

/** Agents whose late reports are kept. */
const MAX_AGENTS = 200;

/** Reports that came too late for the results of their edits, of each agent's last batch. */
export class LateReports {
  readonly #batches = new Map<string, LateBatch>();

  /** They are there when all have come. */
  wait(agentId: string, cwd: string, reports: Promise<readonly FileReport[]>): void {
    const batch: LateBatch = { cwd, reports: undefined };
    this.forget(agentId);
    this.#batches.set(agentId, batch);
    const [oldest] = this.#batches.keys();
    if (this.#batches.size > MAX_AGENTS && oldest !== undefined) this.#batches.delete(oldest);
    void reports.then((all) => {
      batch.reports = all;
    });
  }

  /** The agent changes something: they are about texts of the past. */
  forget(agentId: string): void {
    this.#batches.delete(agentId);
  }

  /** Once; undefined as long as some are missing. */
  take(agentId: string): { cwd: string; reports: readonly FileReport[] } | undefined {
    const { cwd, reports } = this.#batches.get(agentId) ?? {};
    if (cwd === undefined || !reports) return undefined;
    this.forget(agentId);
    return { cwd, reports };
  }
}
