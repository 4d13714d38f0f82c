import { statSync } from "node:fs";
import { type DatedDigest, readMeta } from "../meta-file.ts";
import type { SessionFolder } from "../session-folder.ts";
import { lossOf } from "./log-loss.ts";
import { scanLog } from "./log-scan.ts";

/**
 * The current digest of a session: the known one, or that of `meta.json`, if the main log has not changed since;
 * otherwise continued from there. Undefined if there is no session. Throws file system errors.
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

/** The digest of the log with a note of what is lost; if no message is left, the digest of `meta.json`. */
function withLoss(scanned: DatedDigest, meta: DatedDigest | undefined): DatedDigest {
  const lost = lossOf(meta, { turns: scanned.digest.turns, readBytes: scanned.readBytes });
  if (!meta || lost === undefined) return scanned;
  const digest = lost === "messages" ? meta.digest : scanned.digest;
  return { ...scanned, digest: { ...digest, damage: { ...scanned.digest.damage, lost } } };
}
