import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LogWriteError } from "@harness/core";
import { diskProblem, writeNewFile } from "@harness/host";
import { MAX_PACK_BYTES, type PackedTree } from "../../../checkpoints/moving/checkpoint-pack.ts";
import { appendBytes } from "./append-bytes.ts";

/** Adds packed file states to the new folder's store. */
export type TakeCheckpoints = (pack: {
  path: string;
  trees: readonly PackedTree[];
}) => Promise<{ store: string; trees: readonly PackedTree[] } | { problem: string }>;

const TREE = /^[0-9a-f]{40}$/;
const STORE = /^[0-9a-f]{12}$/;
const ID_FIELDS = ["checkpointId", "before", "after", "toCheckpoint"];
const KINDS: ReadonlySet<string> = new Set(["checkpoint", "turn_changes", "rewind_update"]);

/** Reads the checkpoints of a bundle, and puts their new ids into facts. */
export class CheckpointReader {
  #problem: string | undefined;
  readonly #take: TakeCheckpoints | undefined;
  readonly #isMoved: boolean;
  #hasLost = false;
  readonly #ids = new Map<string, string>();
  #store = "";
  #trees: PackedTree[] = [];
  #folder: string | undefined;
  #bytes = 0;

  /** `isMoved`: the session moves to a different folder, whose store lacks the checkpoints of the old one. */
  constructor(take: TakeCheckpoints | undefined, { isMoved }: { isMoved: boolean }) {
    this.#take = take;
    this.#isMoved = isMoved;
  }

  /** Why the checkpoints could not be imported. */
  get problem(): string | undefined {
    return this.#problem ?? (this.#hasLost ? "only a bundle brings the states of its files." : undefined);
  }

  /** True if the row belongs to the checkpoints. */
  take(row: Record<string, unknown>): boolean {
    if ("checkpoints" in row) {
      const { store, trees } = Object(row.checkpoints);
      this.#store = STORE.test(String(store)) ? String(store) : "";
      this.#trees = (Array.isArray(trees) ? trees : []).flatMap(packedTree);
      return true;
    }
    if (!("pack" in row)) return false;
    if (this.#store === "" || typeof row.pack !== "string") return true;
    const bytes = Buffer.from(row.pack, "base64");
    this.#bytes += bytes.length;
    if (this.#bytes <= MAX_PACK_BYTES) this.#write(bytes);
    return true;
  }

  /** Call after the last of these rows, before the first fact. */
  async end(): Promise<void> {
    const path = this.#folder && join(this.#folder, "pack");
    if (this.#store === "" || path === undefined || !this.#take) return;
    if (this.#bytes > MAX_PACK_BYTES) this.#problem = "They are larger than any that harness writes.";
    else {
      const taken = await this.#take({ path, trees: this.#trees });
      if ("problem" in taken) this.#problem = taken.problem;
      else for (const { from, tree } of taken.trees) this.#ids.set(`${this.#store}-${from}`, `${taken.store}-${tree}`);
    }
    this.close();
  }

  /** The update with the new ids of its checkpoints. */
  moved(update: unknown): unknown {
    if (!KINDS.has(String(Object(update).sessionUpdate))) return update;
    this.#hasLost ||= this.#isMoved && this.#ids.size === 0;
    if (this.#ids.size === 0) return update;
    const entries = Object.entries(Object(update)).map(([field, value]) => [
      field,
      ID_FIELDS.includes(field) && typeof value === "string" ? this.#movedId(value) : value,
    ]);
    return Object.fromEntries(entries);
  }

  close(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
    this.#store = "";
  }

  #movedId(id: string): string {
    return id.replace(/[0-9a-f]{12}-[0-9a-f]{40}/g, (part) => this.#ids.get(part) ?? part);
  }

  #write(bytes: Buffer): void {
    try {
      if (this.#folder === undefined) {
        this.#folder = mkdtempSync(join(tmpdir(), "harness-checkpoints-"));
        writeNewFile(join(this.#folder, "pack"), "");
      }
      appendBytes(join(this.#folder, "pack"), bytes);
    } catch (error) {
      throw new LogWriteError(diskProblem(error, "save checkpoints", this.#folder ?? tmpdir()));
    }
  }
}

function packedTree(value: unknown): PackedTree[] {
  const { from, tree, seenMs } = Object(value);
  const isOne =
    TREE.test(String(from)) && TREE.test(String(tree)) && Number.isFinite(seenMs) && Math.abs(seenMs) < 8e15;
  return isOne ? [{ from: String(from), tree: String(tree), seenMs: Number(seenMs) }] : [];
}
