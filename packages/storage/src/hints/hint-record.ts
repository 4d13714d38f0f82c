import { join } from "node:path";
import { type Contents, isRecord, PrivateFile, parseJson } from "@harness/host";
import type { ConfigPaths } from "../config-paths.ts";

type Hint = "undo";
type Hints = { readonly seen: readonly string[] };

const MAX_BYTES = 64 * 1024;

/** The hints that the person was shown once, in `hints.json`. */
export class HintRecord {
  readonly #file: PrivateFile<Hints>;

  constructor({ root }: Pick<ConfigPaths, "root">) {
    this.#file = new PrivateFile({
      path: join(root, "hints.json"),
      what: "the hints that were shown",
      maxBytes: MAX_BYTES,
      empty: { seen: [] },
      parse: hintsIn,
      format: (seen) => `${JSON.stringify(seen, undefined, 2)}\n`,
    });
  }

  /**
   * True if the hint is due: from now on it counts as seen, on disk on return. If that cannot be stored it is not shown,
   * rather than again and again.
   */
  take(hint: Hint): boolean {
    if (this.#file.read().value.seen.includes(hint)) return false;
    let isDue = false;
    const saved = this.#file.change(({ seen }) => {
      isDue = !seen.includes(hint);
      return isDue ? { seen: [...seen, hint] } : { seen };
    });
    return isDue && !("problem" in saved);
  }
}

/** A broken file counts as empty: a hint more does no harm. */
function hintsIn(bytes: Buffer): Contents<Hints> {
  const json = parseJson(bytes.toString("utf8"));
  if ("why" in json || !isRecord(json.value) || !Array.isArray(json.value.seen))
    return { value: { seen: [] }, problems: [], state: "broken" };
  const seen = json.value.seen.filter((each): each is string => typeof each === "string");
  return { value: { seen }, problems: [], state: "usable" };
}
