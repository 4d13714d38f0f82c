import { isRecord } from "../text/record.ts";
import { parseJson } from "./json-text.ts";
import type { Contents } from "./private-file.ts";

/** `{ "version": 1, "<field>": { key: entry } }`; `rest` is everything else in it, kept for other versions. */
export type KeyedDocument = {
  entries: Readonly<Record<string, unknown>>;
  rest: Readonly<Record<string, unknown>>;
};

export type KeyedForm = {
  path: string;
  version: number;
  field: string;
  /** Follows a problem, such as "No key in it is used." */
  unused: string;
};

const EMPTY: KeyedDocument = { entries: {}, rest: {} };

export function parseKeyed(text: string, { path, version, field, unused }: KeyedForm): Contents<KeyedDocument> {
  const json = parseJson(text);
  if ("why" in json) {
    const where = `line ${json.line}, column ${json.column}`;
    return broken(`${path} is not valid JSON (${where}: ${json.why}). ${unused} Correct it there.`);
  }
  const document = isRecord(json.value) ? json.value : {};
  const { version: found, [field]: entries = {}, ...rest } = document;
  // Checked first: a newer format may have any other shape.
  if (typeof found === "number" && found > version) {
    const problem =
      `${path} was written by a newer version of harness (format ${found}). ${unused} It is not changed. ` +
      "Update harness.";
    return { value: EMPTY, problems: [problem], state: "refused" };
  }
  if (typeof found !== "number" || !isRecord(entries)) {
    return broken(`${path} must contain { "version": ${version}, "${field}": { … } }. ${unused} Correct it there.`);
  }
  return { value: { entries, rest }, problems: [], state: "usable" };
}

export function formatKeyed({ entries, rest }: KeyedDocument, { version, field }: KeyedForm): string {
  return `${JSON.stringify({ version, [field]: entries, ...rest }, undefined, 2)}\n`;
}

function broken(problem: string): Contents<KeyedDocument> {
  return { value: EMPTY, problems: [problem], state: "broken" };
}
