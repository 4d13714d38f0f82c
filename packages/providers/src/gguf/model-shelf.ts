import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isRecord, parseJson } from "../json/lenient-json.ts";
import { type GgufHeader, readGgufHeader } from "./gguf-header.ts";

/** A model file that was made known under a name. */
export type ShelvedModel = { name: string; path: string };

export type AddedModel = { ok: true; model: ShelvedModel; header: GgufHeader } | { ok: false; problem: string };

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._:-]{0,79}$/u;

/** The models that the person added, in a file below the config root. Problems are sentences; nothing throws. */
export class ModelShelf {
  readonly #file: string;
  #changing: Promise<unknown> = Promise.resolve();

  constructor(root: string) {
    this.#file = join(root, "models.d", "gguf.json");
  }

  /** A file that is damaged is told of, and holds nothing. */
  async list(): Promise<{ models: ShelvedModel[]; problem?: string }> {
    try {
      return { models: await this.#read() };
    } catch (error) {
      return { models: [], problem: `${this.#file} cannot be read: ${wordsOf(error)}.` };
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

  #change(edit: (models: ShelvedModel[]) => ShelvedModel[]): Promise<string | undefined> {
    const change = this.#changing.then(async () => {
      try {
        const models = await this.#read();
        const edited = edit(models);
        if (edited.length !== models.length || edited.at(-1) !== models.at(-1)) await this.#write(edited);
        return undefined;
      } catch (error) {
        return `${this.#file} cannot be changed: ${wordsOf(error)}.`;
      }
    });
    this.#changing = change;
    return change;
  }

  async #read(): Promise<ShelvedModel[]> {
    let text: string;
    try {
      text = await readFile(this.#file, "utf8");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
      throw error;
    }
    const parsed = parseJson(text);
    const models = parsed.ok && isRecord(parsed.value) ? parsed.value.models : undefined;
    if (!Array.isArray(models)) throw new Error("it is damaged (delete it, and add the models again)");
    return models.filter(isRecord).flatMap(({ name, path }) => {
      return typeof name === "string" && typeof path === "string" ? [{ name, path }] : [];
    });
  }

  async #write(models: ShelvedModel[]): Promise<void> {
    const folder = dirname(this.#file);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = `${this.#file}.${process.pid}-${randomBytes(4).toString("hex")}.tmp`;
    try {
      const file = await open(draft, "wx", 0o600);
      try {
        await file.writeFile(`${JSON.stringify({ models }, undefined, 2)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, this.#file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
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

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
