const MAX_NAMED = 3;

const reasons = ["large", "secret", "unreadable", "name"] as const;
type Why = (typeof reasons)[number];

/** The files that a checkpoint omits, with the reasons. */
export class OmittedFiles {
  readonly #maxFileBytes: number;
  readonly #paths = new Map<Why, string[]>();

  constructor(maxFileBytes: number) {
    this.#maxFileBytes = maxFileBytes;
  }

  add(why: Why, path: string): void {
    const paths = this.#paths.get(why);
    if (paths) paths.push(path);
    else this.#paths.set(why, [path]);
  }

  /** `2 files over 10 MB (a.bin, b.bin), 1 secret file (.env)`; undefined: nothing was omitted. */
  words(show: (path: string) => string): string | undefined {
    const parts = reasons.flatMap((why) => {
      const paths = this.#paths.get(why)?.sort();
      if (!paths) return [];
      const more = paths.length > MAX_NAMED ? ", …" : "";
      const one = paths.length === 1;
      const named = paths.slice(0, MAX_NAMED).map(show).join(", ");
      return [`${paths.length} ${this.#kind(why, one)} (${named}${more})`];
    });
    return parts.length > 0 ? parts.join(", ") : undefined;
  }

  #kind(why: Why, one: boolean): string {
    if (why === "secret") return one ? "secret file" : "secret files";
    const files = one ? "file" : "files";
    if (why === "large") return `${files} over ${bytesText(this.#maxFileBytes)}`;
    return why === "name" ? `${files} whose name is not UTF-8` : `${files} that cannot be read`;
  }
}

function bytesText(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${Number(value.toFixed(1))} ${units[unit]}`;
}
