import { readRegularFile, replaceOwnFile } from "@harness/host";
import { asStoredDigest, type StoredDigest } from "./stored-digest.ts";

/** A digest, and the state of the log that it describes. */
export type DatedDigest = {
  /** Size and time of the log when the digest was made; while both stay the same, nothing has changed. */
  sizeBytes: number;
  modifiedMs: number;
  /** The digest covers the log up to here; later facts can be added to it. */
  readBytes: number;
  digest: StoredDigest;
  /** The state of the files that the user may edit, if the session has such files besides its log. */
  files?: string;
  /** The digest of the log alone, if `digest` includes edits that the log lacks. */
  ofLog?: StoredDigest;
};

const META_VERSION = 2;
const MAX_BYTES = 1024 * 1024;

/** Undefined if there is no file that this version can use. */
export function readMeta(path: string): DatedDigest | undefined {
  try {
    const value: unknown = JSON.parse(
      readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: false }).toString("utf8"),
    );
    return value && typeof value === "object" && "version" in value && value.version === META_VERSION
      ? asDatedDigest(value)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Throws file system errors. */
export function writeMeta(path: string, dated: DatedDigest): void {
  replaceOwnFile(path, `${JSON.stringify({ version: META_VERSION, ...dated }, undefined, 2)}\n`);
}

export function asDatedDigest(value: object): DatedDigest | undefined {
  const { sizeBytes, modifiedMs, readBytes, digest: found, files, ofLog: before } = value as Partial<DatedDigest>;
  const digest = asStoredDigest(found);
  const ofLog = asStoredDigest(before);
  if (!digest || typeof sizeBytes !== "number" || typeof modifiedMs !== "number" || typeof readBytes !== "number") {
    return undefined;
  }
  // A digest with edits cannot be continued from the log.
  if (before !== undefined && !ofLog) return undefined;
  const ofFiles = { ...(typeof files === "string" && { files }), ...(ofLog && { ofLog }) };
  return { sizeBytes, modifiedMs, readBytes, digest, ...ofFiles };
}
