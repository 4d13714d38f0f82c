import { basename, dirname, join } from "node:path";
import { errorCode, isRecord, makePrivateFolder, readRegularFile, writeAtomically } from "@harness/host";
import { type GgufHeader, readGgufHeader } from "./header/gguf-header.ts";

/** A model file that was made known under a name. */
export type StoredModel = { name: string; path: string };

export type AddedModel = { ok: true; model: StoredModel; header: GgufHeader } | { ok: false; problem: string };

const MAX_BYTES = 1024 * 1024;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._:-]{0,79}$/u;

/** The models that the person added, in a file below the config root. Problems are sentences; nothing throws. */
export class ModelStore {
  readonly #file: string;
  #changing: Promise<unknown> = Promise.resolve();

  constructor(root: string) {
    this.#file = join(root, "models.d", "gguf.json");
  }

  /** A damaged file is reported, and counts as empty. */
  async list(): Promise<{ models: StoredModel[]; problem?: string }> {
    try {
      return { models: await this.#read() };
    } catch (error) {
      return { models: [], problem: `${this.#file} cannot be read: ${messageOf(error)}.` };
    }
  }

  /** `path` is absolute. The name is the file's own unless one is given; one that exists gets the new file. */
  async add(path: string, name = nameOf(path)): Promise<AddedModel> {
    if (!NAME.test(name)) {
      const problem = `${JSON.stringify(name)} cannot be a model's name: use letters, digits, dots, colons and dashes.`;
      return { ok: false, problem };
    }
    const answer = await readGgufHeader(path);
    if (!answer.ok) return answer;
    const model = { name, path };
    const problem = await this.#change((models) => [...models.filter((each) => each.name !== name), model]);
    return problem === undefined ? { ok: true, model, header: answer.header } : { ok: false, problem };
  }

  /** The file itself stays. */
  async remove(name: string): Promise<{ removed: boolean; problem?: string }> {
    let removed = false;
    const problem = await this.#change((models) => {
      const kept = models.filter((each) => each.name !== name);
      removed = kept.length < models.length;
      return kept;
    });
    return problem === undefined ? { removed } : { removed: false, problem };
  }

  #change(edit: (models: StoredModel[]) => StoredModel[]): Promise<string | undefined> {
    const change = this.#changing.then(async () => {
      try {
        const models = await this.#read();
        const edited = edit(models);
        if (edited.length !== models.length || edited.at(-1) !== models.at(-1)) this.#write(edited);
        return undefined;
      } catch (error) {
        return `${this.#file} cannot be changed: ${messageOf(error)}.`;
      }
    });
    this.#changing = change;
    return change;
  }

  async #read(): Promise<StoredModel[]> {
    let text: string;
    try {
      text = readRegularFile(this.#file, { maxBytes: MAX_BYTES, followLinks: true }).toString("utf8");
    } catch (error) {
      if (errorCode(error) === "ENOENT") return [];
      throw error;
    }
    const models = modelsIn(text);
    if (!models) throw new Error("it is damaged (delete it, and add the models again)");
    return models.filter(isRecord).flatMap(({ name, path }) => {
      return typeof name === "string" && typeof path === "string" ? [{ name, path }] : [];
    });
  }

  #write(models: readonly StoredModel[]): void {
    makePrivateFolder(dirname(this.#file));
    writeAtomically(this.#file, `${JSON.stringify({ models }, undefined, 2)}\n`, { durable: "content" });
  }
}

function modelsIn(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && Array.isArray(value.models) ? value.models : undefined;
  } catch {
    return undefined;
  }
}

/** `Qwen3-8B-Q4_K_M.gguf` → `Qwen3-8B-Q4_K_M`; the first part of several stands for all. */
function nameOf(path: string): string {
  return basename(path)
    .replace(/\.gguf$/i, "")
    .replace(/-00001-of-\d{5}$/, "")
    .replace(/[^\p{L}\p{N}._:-]+/gu, "-")
    .replace(/^[^\p{L}\p{N}]+/u, "");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
