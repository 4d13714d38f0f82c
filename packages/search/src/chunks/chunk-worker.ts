// biome-ignore lint/style/noRestrictedImports: this thread is of a process that is not started from a snapshot.
import { parentPort } from "node:worker_threads";
import type { SourceFile } from "./chunk-file.ts";
import { chunkSource } from "./chunk-source.ts";
import type { SourceChunks } from "./chunker.ts";
import { GrammarSet } from "./grammar-set.ts";
import { packSources } from "./packed-sources.ts";

// The thread that cuts files into chunks: it answers each list of files with its chunks.

const grammars = new GrammarSet();
// Of the process: lists are answered in their order.
let last: Promise<void> = Promise.resolve();

parentPort?.on("message", (files: readonly SourceFile[]) => {
  last = last.then(() => answer(files));
});

async function answer(files: readonly SourceFile[]): Promise<void> {
  const sources: SourceChunks[] = [];
  for (const file of files) sources.push(await chunkSource(file, grammars));
  const packed = packSources(sources);
  parentPort?.postMessage(packed, [packed.numbers.buffer, packed.counts.buffer]);
}
