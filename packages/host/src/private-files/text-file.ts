import { PrivateFile } from "./private-file.ts";

const MAX_BYTES = 4 * 1024 * 1024;

export type TextFileOptions = {
  path: string;
  /** Continues "Could not read …" and "Could not save …". */
  what: string;
  /** The mode of a new file; an existing one keeps its own. Default: this user alone. */
  mode?: number;
};

/** A file of the user as text, changed under the lock that all processes take; undefined if there is none. */
export function textFile(options: TextFileOptions): PrivateFile<string | undefined> {
  return new PrivateFile<string | undefined>({
    ...options,
    maxBytes: MAX_BYTES,
    empty: undefined,
    parse: (bytes) => ({ value: bytes.toString("utf8"), problems: [], state: "usable" }),
    format: (text) => text ?? "",
  });
}
