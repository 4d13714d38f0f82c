import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readRegularFile } from "@harness/host";
import { type ExportSource, type ExportWriter, exportedFacts, hiddenIn } from "./export-source.ts";

const CHUNK_CHARS = 256 * 1024;
const MAX_BLOB_BYTES = 64 * 1024 * 1024;

/**
 * A session to go on with on another machine: gzip of JSON lines. The first line tells what it is; then come saved texts, then facts; the
 * last line has the count of the lines before it, and their SHA-256.
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
      // Several gzip members after each other are one file.
      yield gzipSync(waiting);
      waiting = "";
    }
    yield gzipSync(`${waiting}${JSON.stringify({ end: { lines: count, sha256: hash.digest("hex") } })}\n`);
  },
};

function* linesOf(source: ExportSource): Generator<object, void> {
  const { header, title, version, savedTexts, hide } = source;
  const session = hiddenIn({ ...header, ...(title === undefined ? {} : { title }) }, hide);
  yield { format: "harness-bundle", version: 1, harness: version, session };
  for (const folder of savedTexts) {
    for (const name of namesIn(folder)) {
      const path = join(folder, name);
      const data = contentOf(path, hide);
      if (data) yield { blob: { path, data: data.toString("base64") } };
    }
  }
  for (const fact of exportedFacts(source)) yield { fact };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Text without its secrets, anything else as it is. */
function contentOf(path: string, hide: (text: string) => string): Buffer | undefined {
  try {
    const bytes = readRegularFile(path, { maxBytes: MAX_BLOB_BYTES, followLinks: false });
    const text = bytes.toString("utf8");
    return Buffer.from(text).equals(bytes) ? Buffer.from(hide(text)) : bytes;
  } catch {
    return undefined;
  }
}
