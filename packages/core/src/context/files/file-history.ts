import { type FactView, ROOT_AGENT, type SeenFile, type StoredFact, type UpdateOf } from "@harness/protocol";
import type { FileStamp } from "../../ports/tool.ts";

/** Changes that are looked back on. */
const MAX_CHANGES = 20;

type Sight = { seq: number; file: SeenFile };

/**
 * The files that an agent has read and changed, from the facts of its log: it knows them again after a resume. Where the
 * person goes back in the conversation, the agent has not seen what it saw later.
 */
export class FileHistory implements FactView {
  #sights: Sight[] = [];
  /** The last sight of each file; the file that was used last stands last. */
  readonly #latest = new Map<string, Sight>();
  /** Sights hidden by a rewind, by its id. */
  readonly #hidden = new Map<string, Sight[]>();
  /** Files that the agent knows to be others than it has seen. */
  readonly #announced = new Set<string>();

  see({ seq, agentId, update }: StoredFact): void {
    if (update.sessionUpdate === "tool_call_update") this.#add(seq, update.outcome?.files);
    if (update.sessionUpdate === "user_message") this.#add(seq, update.files);
    if (update.sessionUpdate === "pin_update") this.#add(seq, update.seen);
    if (update.sessionUpdate === "rewind_update" && agentId === ROOT_AGENT) this.#rewind(update);
  }

  /** The state of the file when it was last read or written; undefined: never, or it was removed. */
  seen(path: string): FileStamp | undefined {
    return stampOf(this.#latest.get(path)?.file);
  }

  /** The files that were used last, the newest first, without those that were removed. */
  inPlay(count: number): { seq: number; path: string; stamp: FileStamp }[] {
    const files = [...this.#latest.values()].reverse().flatMap(({ seq, file }) => {
      const stamp = stampOf(file);
      return stamp ? [{ seq, path: file.path, stamp }] : [];
    });
    return files.slice(0, count);
  }

  /** The files used last, without those whose change was already announced to the agent. */
  unannounced(count: number): { path: string; stamp: FileStamp }[] {
    return this.inPlay(count).filter(({ path }) => !this.#announced.has(path));
  }

  /** The last changes that the agent's tools made, the newest first, each file once. */
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

  #rewind({ rewindId, redoOf, fromSeq, files }: UpdateOf<"rewind_update">): void {
    if (redoOf === undefined && fromSeq === undefined) {
      // A note about the undo names them already.
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
