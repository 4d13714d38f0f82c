import { join } from "node:path";
import { brokenCopyNotes, type Contents, PrivateFile, parseJson } from "@harness/host";
import * as z from "zod";
import type { ConfigPaths } from "../config-paths.ts";

/** Keys by action. The user may write a single key without brackets, and `null` or `[]` for none. */
type KeysByAction = Readonly<Record<string, string[]>>;

const KeyDocument = z.record(z.string(), z.union([z.string(), z.array(z.string()), z.null()]));

const MAX_BYTES = 256 * 1024;

/** The user's `keys.json`. While it is broken, its previous keys apply. */
export class KeyFile {
  readonly #file: PrivateFile<KeysByAction>;
  #good: KeysByAction = {};

  constructor({ root }: Pick<ConfigPaths, "root">) {
    const path = join(root, "keys.json");
    this.#file = new PrivateFile({
      path,
      what: "your keys",
      maxBytes: MAX_BYTES,
      empty: {},
      parse: (bytes) => keysIn(bytes, path),
      format: (keys) => `${JSON.stringify(keys, undefined, 2)}\n`,
    });
  }

  get path(): string {
    return this.#file.path;
  }

  /** Costs one stat as long as the file is unchanged. */
  read(): { keys: Record<string, string[]>; problems: string[] } {
    const { value, problems, state } = this.#file.current();
    if (state === "usable") this.#good = value;
    return { keys: { ...this.#good }, problems: [...problems] };
  }

  /** `keys`: undefined restores the action's default keys. On disk on return. */
  set(action: string, keys: string[] | undefined): { problems: string[] } | { problem: string } {
    const saved = this.#file.change((value, state) => {
      const before = state === "usable" ? value : this.#good;
      const { [action]: _, ...others } = before;
      return keys === undefined ? others : { ...before, [action]: keys };
    });
    return "problem" in saved ? { problem: saved.problem } : { problems: brokenCopyNotes(this.path, saved) };
  }
}

function keysIn(bytes: Buffer, path: string): Contents<KeysByAction> {
  const json = parseJson(bytes.toString("utf8"));
  const broken = (why: string): Contents<KeysByAction> => ({
    value: {},
    problems: [`${path} is not used: ${why} Until it is corrected, its previous keys stay in effect.`],
    state: "broken",
  });
  if (!("value" in json)) return broken("it is not valid JSON.");
  const read = KeyDocument.safeParse(json.value);
  if (!read.success)
    return broken('it has to map actions to keys, such as {"chat.agents": "ctrl+x a"}; /keys lists the actions.');
  const lists = Object.entries(read.data).map(([action, keys]) => [
    action,
    typeof keys === "string" ? [keys] : (keys ?? []),
  ]);
  return { value: Object.fromEntries(lists), problems: [], state: "usable" };
}
