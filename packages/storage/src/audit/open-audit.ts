import { join } from "node:path";
import type { AuditLog, Clock } from "@harness/gate";
import { diskProblem, PrivateLog, systemReason } from "@harness/host";
import type { ConfigPaths } from "../config-paths.ts";
import type { Redactor } from "../secrets/redactor.ts";
import { clearedLine, decidedLine, endedLine } from "./audit-line.ts";
import { type AuditList, countDecisions, readNewest } from "./read-newest.ts";

/** Entries of the sessions whose id begins with `sessionId`, or of all sessions. */
export type AuditQuery = { last: number; sessionId?: string };

/** The log of decisions on disk. */
export type AuditFile = AuditLog & {
  readonly path: string;
  /** Never rejects. */
  list(query: AuditQuery): Promise<AuditList>;
  /** Clears the log; the first line of the new log records that. */
  clear(): Promise<{ removedEntries: number } | { problem: string }>;
};

export type AuditOptions = {
  configPaths: Pick<ConfigPaths, "root">;
  clock: Pick<Clock, "now">;
  /** The redactor of a folder; requested for each line, because keys may be added while the server runs. */
  redactor(cwd: string): Redactor;
  /** The size at which a file is rotated. */
  mostBytes?: number;
};

const MAX_BYTES = 10 * 1024 * 1024;
const KEPT = 3;

/** `audit.jsonl`. Reads and creates nothing yet. */
export function openAudit({ configPaths, clock, redactor, mostBytes = MAX_BYTES }: AuditOptions): AuditFile {
  const log = new PrivateLog(join(configPaths.root, "audit.jsonl"), { maxBytes: mostBytes, kept: KEPT });
  const { path } = log;
  const now = () => new Date(clock.now()).toISOString();
  let failure: string | undefined;
  const add = (line: () => string): boolean => {
    failure = undefined;
    try {
      log.append(line());
      return true;
    } catch (error) {
      // The gate handles the failure: it allows nothing without asking from then on.
      failure = `${path}: ${systemReason(error)}`;
      return false;
    }
  };
  return {
    path,
    decided: (decision) => add(() => decidedLine(decision, now(), redactor(decision.cwd))),
    failure: () => failure,
    ended: (end) => void add(() => endedLine(end, now())),
    list: ({ last, sessionId }) => readNewest(log.files, last, sessionId),
    async clear() {
      let removedEntries = 0;
      try {
        const refused = await log.clear(async (old) => {
          removedEntries = await countDecisions(old);
          return clearedLine(removedEntries, now());
        });
        return refused ?? { removedEntries };
      } catch (error) {
        return { problem: diskProblem(error, "clear the audit log", path) };
      }
    },
  };
}
