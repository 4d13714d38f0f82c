import { basename, join } from "node:path";
import { isRecord, type PrivateFile, textFile } from "@harness/host";
import { type GgufHeader, readGgufHeader } from "./header/gguf-header.ts";

/** A model file registered under a name. */
export type StoredModel = { name: string; path: string };

export type AddedModel = { ok: true; model: StoredModel; header: GgufHeader } | { ok: false; problem: string };

const DAMAGED = "it is damaged (delete it, and add the models again)";
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._:-]{0,79}$/u;

/** The models that the user added, in a file below the config root. Problems are sentences; nothing throws. */
export class ModelStore {
  readonly #file: PrivateFile<string | undefined>;

  constructor(root: string) {
    this.#file = textFile({ path: join(root, "models.d", "gguf.json"), what: "the added models" });
  }

  /** A damaged file is reported, and counts as empty. */
  async list(): Promise<{ models: StoredModel[]; problem?: string }> {
    const { value, problems } = this.#file.read();
    if (problems.length > 0) return { models: [], problem: problems.join(" ") };
    const models = storedIn(value);
    return models ? { models } : { models: [], problem: `${this.#file.path} cannot be read: ${DAMAGED}.` };
  }

  /** `path` is absolute. The default name is the file's own; an existing name gets the new file. */
  async add(path: string, name = nameOf(path)): Promise<AddedModel> {
    if (!NAME.test(name)) {
      const problem = `${JSON.stringify(name)} cannot be a model's name: use letters, digits, dots, colons and dashes.`;
      return { ok: false, problem };
    }
    const answer = await readGgufHeader(path);
    if (!answer.ok) return answer;
    const model = { name, path };
    const problem = this.#change((models) => [...models.filter((each) => each.name !== name), model]);
    return problem === undefined ? { ok: true, model, header: answer.header } : { ok: false, problem };
  }

  /** The file itself stays. */
  async remove(name: string): Promise<{ removed: boolean; problem?: string }> {
    let removed = false;
    const problem = this.#change((models) => {
      const kept = models.filter((each) => each.name !== name);
      removed = kept.length < models.length;
      return kept;
    });
    return problem === undefined ? { removed } : { removed: false, problem };
  }

  /** Why it could not be changed, as a sentence. */
  #change(edit: (models: StoredModel[]) => StoredModel[]): string | undefined {
    let damaged = false;
    const saved = this.#file.change((text) => {
      const models = storedIn(text);
      damaged = models === undefined;
      if (!models) return undefined;
      const edited = edit(models);
      const isSame = edited.length === models.length && edited.at(-1) === models.at(-1);
      return isSame ? undefined : `${JSON.stringify({ models: edited }, undefined, 2)}\n`;
    });
    if (damaged) return `${this.#file.path} cannot be changed: ${DAMAGED}.`;
    return "problem" in saved ? saved.problem : undefined;
  }
}

/** Undefined if it is damaged. */
function storedIn(text: string | undefined): StoredModel[] | undefined {
  if (text === undefined) return [];
  return modelsIn(text)
    ?.filter(isRecord)
    .flatMap(({ name, path }) => (typeof name === "string" && typeof path === "string" ? [{ name, path }] : []));
}

function modelsIn(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && Array.isArray(value.models) ? value.models : undefined;
  } catch {
    return undefined;
  }
}

/** `Qwen3-8B-Q4_K_M.gguf` → `Qwen3-8B-Q4_K_M`; the first of several parts represents all. */
function nameOf(path: string): string {
  return basename(path)
    .replace(/\.gguf$/i, "")
    .replace(/-00001-of-\d{5}$/, "")
    .replace(/[^\p{L}\p{N}._:-]+/gu, "-")
    .replace(/^[^\p{L}\p{N}]+/u, "");
}
