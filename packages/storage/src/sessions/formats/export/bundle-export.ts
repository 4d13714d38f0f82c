import { createHash } from "node:crypto";
import { closeSync, constants, readSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { diskProblem, openRegularFile } from "@harness/host";
import type { MovingCheckpoints } from "../../../checkpoints/moving/move-checkpoints.ts";
import { type ExportSource, type ExportWriter, exportedFacts, hiddenIn } from "./export-source.ts";
import { savedTextPaths, savedTextPieces } from "./saved-texts.ts";

const CHUNK_CHARS = 256 * 1024;

/**
 * A session for use on another machine, as gzipped JSON lines. The first line identifies the format; then come saved
 * texts, file states and facts. The last line has the number of lines before it and their SHA-256.
 */
export const bundleExport: ExportWriter = {
  title: "a bundle",
  ending: ".harness.gz",
  *write(source) {
    const hash = createHash("sha256");
    let waiting = "";
    let count = 0;
    for (const value of linesOf(source)) {
      const line = `${JSON.stringify(value)}\n`;
      hash.update(line);
      count += 1;
      waiting += line;
      if (waiting.length < CHUNK_CHARS) continue;
      // Concatenated gzip members form one file.
      yield gzipSync(waiting);
      waiting = "";
    }
    yield gzipSync(`${waiting}${JSON.stringify({ end: { lines: count, sha256: hash.digest("hex") } })}\n`);
  },
};

function* linesOf(source: ExportSource): Generator<object, void> {
  const { header, title, version, hide } = source;
  const session = hiddenIn({ ...header, ...(title === undefined ? {} : { title }) }, hide);
  yield { format: "harness-bundle", version: 1, harness: version, session };
  for (const path of savedTextPaths(source)) yield* blobLines(path, source);
  if (source.checkpoints && source.checkpoints.trees.length > 0) yield* checkpointLines(source.checkpoints);
  for (const fact of exportedFacts(source)) yield { fact };
}

/** A long text takes several lines, an empty one takes one. */
function* blobLines(path: string, source: ExportSource): Generator<object, void> {
  try {
    let isFirst = true;
    for (const piece of savedTextPieces(path, source)) {
      yield { blob: { path, data: piece.toString("base64") } };
      isFirst = false;
    }
    if (isFirst) yield { blob: { path, data: "" } };
  } catch (error) {
    source.leave(diskProblem(error, "export a saved text", path));
    yield { left: { path } };
  }
}

/** The ids of file states, then the pack in pieces. */
function* checkpointLines({ store, trees, path }: MovingCheckpoints): Generator<object, void> {
  yield { checkpoints: { store, trees } };
  const fd = openRegularFile(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const piece = Buffer.allocUnsafe(CHUNK_CHARS);
    for (let read = readSync(fd, piece); read > 0; read = readSync(fd, piece))
      yield { pack: piece.toString("base64", 0, read) };
  } finally {
    closeSync(fd);
  }
}
