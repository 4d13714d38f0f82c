import { statSync } from "node:fs";
import { type DatedDigest, readMeta } from "../meta-file.ts";
import type { SessionFolder } from "../session-folder.ts";
import { lossOf } from "./log-loss.ts";
import { scanLog } from "./log-scan.ts";

/**
 * The digest of a session as its main log is now: the one that is known or that of `meta.json` if the log has not changed
 * since, else read on from there. Undefined: there is no session. Throws what the file system throws.
 */
export function jsonlDigest(
  sessionId: string,
  folder: SessionFolder,
  known?: DatedDigest | undefined,
): DatedDigest | undefined {
  const stat = statSync(folder.log, { throwIfNoEntry: false });
  if (!stat) return withoutLog(readMeta(folder.meta));
  if (!stat.isFile()) throw Object.assign(new Error("it is not a regular file"), { path: folder.log });
  const fits = (dated: DatedDigest | undefined): boolean =>
    dated?.sizeBytes === stat.size && dated.modifiedMs === stat.mtimeMs;
  if (fits(known)) return known;
  const meta = readMeta(folder.meta);
  if (fits(meta)) return meta;
  const newest = (meta?.readBytes ?? 0) > (known?.readBytes ?? 0) ? meta : known;
  return withLoss(scanLog(sessionId, folder, newest), meta);
}

function withoutLog(meta: DatedDigest | undefined): DatedDigest | undefined {
  const nothing = { sizeBytes: 0, modifiedMs: 0, readBytes: 0 };
  const lost = lossOf(meta, { turns: 0, readBytes: 0 });
  if (!meta || lost !== "messages") return undefined;
  return { ...nothing, digest: { ...meta.digest, damage: { ...meta.digest.damage, lost } } };
}

/** The digest of the log with what is gone of it; where no message is left, the one of `meta.json`. */
function withLoss(scanned: DatedDigest, meta: DatedDigest | undefined): DatedDigest {
  const lost = lossOf(meta, { turns: scanned.digest.turns, readBytes: scanned.readBytes });
  if (!meta || lost === undefined) return scanned;
  const digest = lost === "messages" ? meta.digest : scanned.digest;
  return { ...scanned, digest: { ...digest, damage: { ...scanned.digest.damage, lost } } };
}
