import { availableParallelism } from "node:os";
import type { SourceFile } from "./chunk-file.ts";
import { chunkSourceByLines } from "./chunk-source.ts";
import { ChunkThread } from "./chunk-thread.ts";
import type { Chunker, SourceChunks } from "./chunker.ts";

const MAX_THREADS = 2;
/** A list for a thread: enough that a message costs little, few enough that the threads end together. */
const LIST_FILES = 128;
const LIST_CHARACTERS = 500_000;
/** After this many in a row the files are not at fault: the rest is cut by lines. */
const MAX_CRASHES = 20;
/** Threads with nothing to do give back their memory. */
const IDLE_MS = 10_000;

type FileList = { from: number; files: SourceFile[] };

/** Cuts files into chunks in threads. A file that ends its thread is cut by lines. */
export class ChunkPool implements Chunker {
  readonly #startThread: () => ChunkThread;
  readonly #idle: ChunkThread[] = [];
  #crashes = 0;
  #rest: NodeJS.Timeout | undefined;

  constructor(startThread = () => new ChunkThread()) {
    this.#startThread = startThread;
  }

  async chunk(files: readonly SourceFile[]): Promise<SourceChunks[]> {
    clearTimeout(this.#rest);
    this.#crashes = 0;
    const lists = listsOf(files);
    const results: SourceChunks[] = [];
    const work = async () => {
      let thread = this.#idle.pop();
      for (let list = lists.shift(); list; list = lists.shift()) {
        if (this.#crashes <= MAX_CRASHES) thread ??= this.#startThread();
        const sources = await thread?.chunk(list.files);
        this.#crashes = sources ? 0 : this.#crashes + 1;
        if (!sources) thread = undefined;
        for (const [index, source] of (sources ?? this.#afterCrash(list, lists)).entries())
          results[list.from + index] = source;
      }
      if (thread) this.#idle.push(thread);
    };
    await Promise.all(Array.from({ length: Math.min(MAX_THREADS, availableParallelism(), lists.length) }, work));
    this.#rest = setTimeout(() => void this.close(), IDLE_MS).unref();
    return results;
  }

  /** Ends the threads that have nothing to do; the next call starts new ones. */
  async close(): Promise<void> {
    clearTimeout(this.#rest);
    await Promise.all(this.#idle.splice(0).map((thread) => thread.end()));
  }

  /** Each file of a list again on its own, to find the one that ended the thread. */
  #afterCrash({ from, files }: FileList, lists: FileList[]): SourceChunks[] {
    if (files.length === 1 || this.#crashes > MAX_CRASHES) return files.map(chunkSourceByLines);
    for (const [index, file] of files.entries()) lists.push({ from: from + index, files: [file] });
    return [];
  }
}

function listsOf(files: readonly SourceFile[]): FileList[] {
  const lists: FileList[] = [];
  let characters = LIST_CHARACTERS;
  for (const [from, file] of files.entries()) {
    const last = lists.at(-1);
    if (last && characters + file.text.length <= LIST_CHARACTERS && last.files.length < LIST_FILES) {
      last.files.push(file);
      characters += file.text.length;
    } else {
      lists.push({ from, files: [file] });
      characters = file.text.length;
    }
  }
  return lists;
}
