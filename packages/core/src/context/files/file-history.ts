import { type FactView, ROOT_AGENT, type SeenFile, type StoredFact, type UpdateOf } from "@harness/protocol";
import type { FileStamp } from "../../ports/tool.ts";

/** The number of recent changes to look at. */
const MAX_CHANGES = 20;

type Sight = { seq: number; file: SeenFile };

/**
 * The files that an agent has read and changed, rebuilt from its log, so that it still knows them after a resume. After
 * a rewind the agent no longer counts as having seen what came later.
 */
export class FileHistory implements FactView {
  #sights: Sight[] = [];
  /** The latest sight of each file, most recently used last. */
  readonly #latest = new Map<string, Sight>();
  /** Sights hidden by a rewind, by the rewind's id. */
  readonly #hidden = new Map<string, Sight[]>();
  /** Files that the agent knows have changed since it saw them. */
  readonly #announced = new Set<string>();

  see({ seq, agentId, update }: StoredFact): void {
    if ("fromFile" in update && update.fromFile?.of !== undefined) {
      this.#repeat(update.fromFile.of, seq);
      return;
    }
    if (update.sessionUpdate === "tool_call_update") this.#add(seq, update.outcome?.files);
    if (update.sessionUpdate === "user_message") this.#add(seq, update.files);
    if (update.sessionUpdate === "pin_update") this.#add(seq, update.seen);
    if (update.sessionUpdate === "rewind_update" && agentId === ROOT_AGENT) this.#rewind(update);
  }

  /** The state of the file when it was last read or written; undefined: never, or the file was removed. */
  seen(path: string): FileStamp | undefined {
    return stampOf(this.#latest.get(path)?.file);
  }

  /** The most recently used files, newest first, except removed ones. */
  inPlay(count: number): { seq: number; path: string; stamp: FileStamp }[] {
    const files = [...this.#latest.values()].reverse().flatMap(({ seq, file }) => {
      const stamp = stampOf(file);
      return stamp ? [{ seq, path: file.path, stamp }] : [];
    });
    return files.slice(0, count);
  }

  /** The most recently used files, except those whose change the agent has already heard about. */
  unannounced(count: number): { path: string; stamp: FileStamp }[] {
    return this.inPlay(count).filter(({ path }) => !this.#announced.has(path));
  }

  /** The latest changes by the agent's tools, newest first, one per file. */
  get changes(): { seq: number; path: string; how: SeenFile["how"] }[] {
    const changes = new Map<string, { seq: number; path: string; how: SeenFile["how"] }>();
    for (let at = this.#sights.length - 1; at >= 0 && changes.size < MAX_CHANGES; at -= 1) {
      const sight = this.#sights[at];
      if (!sight || !isChange(sight.file) || changes.has(sight.file.path)) continue;
      changes.set(sight.file.path, { seq: sight.seq, path: sight.file.path, how: sight.file.how });
    }
    return [...changes.values()];
  }

  #add(seq: number, files: readonly SeenFile[] = []): void {
    for (const file of files) this.#put({ seq, file });
  }

  #put(sight: Sight): void {
    const { path, how } = sight.file;
    this.#sights.push(sight);
    if (how === "changed_outside") {
      this.#announced.add(path);
      return;
    }
    this.#announced.delete(path);
    this.#latest.delete(path);
    this.#latest.set(path, sight);
  }

  /** A message follows again after a change of message files: what was seen with it comes from there now. */
  #repeat(of: number, seq: number): void {
    for (const sight of this.#sights) if (sight.seq === of) sight.seq = seq;
  }

  #rewind({ rewindId, redoOf, fromSeq, files, fromFiles }: UpdateOf<"rewind_update">): void {
    if (fromFiles) return;
    if (redoOf === undefined && fromSeq === undefined) {
      // The note about the undo already mentions them.
      const undone = files.map(({ path }) => `/${path}`);
      for (const path of this.#latest.keys()) if (undone.some((end) => path.endsWith(end))) this.#announced.add(path);
      return;
    }
    let sights = this.#sights;
    if (redoOf !== undefined) sights = [...sights, ...(this.#hidden.get(redoOf) ?? [])].sort((a, b) => a.seq - b.seq);
    else if (fromSeq !== undefined) {
      const hidden = sights.filter(({ seq }) => seq >= fromSeq);
      this.#hidden.set(rewindId, hidden);
      sights = sights.filter(({ seq }) => seq < fromSeq);
    }
    this.#sights = [];
    this.#latest.clear();
    this.#announced.clear();
    for (const sight of sights) this.#put(sight);
  }
}

function isChange({ how }: SeenFile): boolean {
  return how === "changed" || how === "removed";
}

function stampOf(file: SeenFile | undefined): FileStamp | undefined {
  if (file?.sha256 === undefined || file.sizeBytes === undefined) return undefined;
  const { sizeBytes, sha256, mtimeMs, lines } = file;
  return { sizeBytes, sha256, ...(mtimeMs === undefined ? {} : { mtimeMs }), ...(lines ? { lines } : {}) };
}
