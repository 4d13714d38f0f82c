import { dirname } from "node:path";
import { type FieldPath, mapTexts } from "../json-tree.ts";

/** Fields that always hold a path. */
const PATH_FIELDS: ReadonlySet<string> = new Set(["path", "cwd", "outputPath", "fullOutputPath", "folder", "file"]);
/** Fields that hold a path only in these objects. */
const PATHS_IN: Readonly<Record<string, readonly string[]>> = {
  content: ["staged_update"],
  like: ["staged_update"],
  from: ["folder_update", "command"],
};
/** Values without a schema of ours: arguments of calls, and results of other programs. */
const FREE_FIELDS: ReadonlySet<string> = new Set(["input", "value", "vendorData"]);
/** Contents of files. */
const QUOTED_FIELDS: ReadonlySet<string> = new Set(["hunks"]);

type Move = { from: string; to: string };

/** Replaces the old folder with the new one in facts, and the names of saved texts with their new names. */
export class MovedPaths {
  /** How many texts still name the old folder. */
  mentions = 0;
  readonly #from: string;
  readonly #to: string;
  readonly #saved = new Map<string, string>();
  readonly #folders = new Set<string>();

  constructor({ from, to }: Move) {
    this.#from = from.replace(/\/+$/, "");
    this.#to = to;
  }

  addSavedText(old: string, path: string): void {
    this.#folders.add(`${dirname(old)}/`);
    this.#saved.set(old, path);
  }

  savedText(old: string): string | undefined {
    return this.#saved.get(old);
  }

  moved(update: unknown): unknown {
    const kind = String(Object(update).sessionUpdate);
    return mapTexts(update, (text, place) => this.#text(text, place, kind));
  }

  #text(text: string, place: FieldPath, kind: string): string {
    const isPath = isPathField(place, kind) && !text.includes("\n");
    const saved = this.#saved.get(text);
    if (isPath && saved !== undefined) return saved;
    // The content of a file must not change.
    const here = isPath || isQuoted(place) ? text : this.#withSavedTexts(text);
    if (this.#from === "" || this.#from === this.#to || !here.includes(this.#from)) return here;
    const isBelow = here === this.#from || here.startsWith(`${this.#from}/`);
    if (isPath && isBelow) return `${this.#to}${here.slice(this.#from.length)}`;
    this.mentions += 1;
    return here;
  }

  /** Models see these paths in results. */
  #withSavedTexts(text: string): string {
    let next = text;
    for (const folder of this.#folders) {
      if (!next.includes(folder)) continue;
      const parts = next.split(folder);
      next = parts.reduce((before, part) => {
        // A longer name is a different file or folder.
        const [name = ""] = /^[\w-]+(?:\.[\w-]+)*/.exec(part) ?? [];
        const path = /[\w.~-]$/.test(before) ? undefined : this.#saved.get(`${folder}${name}`);
        return path === undefined ? `${before}${folder}${part}` : `${before}${path}${part.slice(name.length)}`;
      });
    }
    return next;
  }
}

function isPathField({ field, outer }: FieldPath, kind: string): boolean {
  return PATH_FIELDS.has(field) || (PATHS_IN[field]?.some((name) => name === kind || name === outer?.field) ?? false);
}

function isQuoted(place: FieldPath): boolean {
  if (QUOTED_FIELDS.has(place.field)) return true;
  for (let at: FieldPath | undefined = place; at; at = at.outer) if (FREE_FIELDS.has(at.field)) return true;
  return false;
}
