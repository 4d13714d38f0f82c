import { dirname } from "node:path";

/** Fields whose texts are paths; a path in any other text may be part of a message. */
const PATH_FIELDS: ReadonlySet<string> = new Set([
  "path",
  "cwd",
  "from",
  "outputPath",
  "fullOutputPath",
  "content",
  "like",
  "folder",
  "file",
]);

type Move = { from: string; to: string };

/** Replaces the old folder by the new one in facts, and the names of saved texts by new ones. */
export class MovedPaths {
  /** How many texts name the old folder and stay as they are. */
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
    this.#folders.add(dirname(old));
    this.#saved.set(old, path);
  }

  /** The same value with its paths moved. */
  moved(value: unknown, field = ""): unknown {
    if (typeof value === "string") return this.#text(value, field);
    if (Array.isArray(value)) return value.map((each) => this.moved(each, field));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.moved(each, key)]));
  }

  #text(text: string, field: string): string {
    const here = this.#withSavedTexts(text);
    if (this.#from === "" || this.#from === this.#to || !here.includes(this.#from)) return here;
    const isBelow = here === this.#from || here.startsWith(`${this.#from}/`);
    if (PATH_FIELDS.has(field) && isBelow) return `${this.#to}${here.slice(this.#from.length)}`;
    this.mentions += 1;
    return here;
  }

  /** Models read these paths in results, so they are replaced wherever they are. */
  #withSavedTexts(text: string): string {
    if (![...this.#folders].some((folder) => text.includes(folder))) return text;
    let next = text;
    for (const [old, path] of this.#saved) next = next.replaceAll(old, path);
    return next;
  }
}
