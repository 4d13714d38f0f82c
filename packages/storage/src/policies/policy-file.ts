import { isUtf8 } from "node:buffer";
import { PolicyFile, type PolicyRule } from "@harness/gate";
import { type Contents, doubledName, PrivateFile, parseJson, writtenByOwnerOnly } from "@harness/host";

/** A policy file: its text, unless it does not exist or cannot be used, and its rules as written. */
export type PolicyDocument = { text?: string; rules: readonly PolicyRule[] };

const MAX_BYTES = 1024 * 1024;

/** `own`: a file of the user that no other user may write. */
export function policyFile(path: string, { own }: { own: boolean }): PrivateFile<PolicyDocument> {
  return new PrivateFile({
    path,
    what: "the policies",
    maxBytes: MAX_BYTES,
    ...(own ? { access: writtenByOwnerOnly } : {}),
    empty: { rules: [] },
    parse: (bytes) => documentIn(bytes, path),
    format: ({ rules }) => `${JSON.stringify({ version: 1, rules }, undefined, 2)}\n`,
  });
}

/**
 * A text in which a rule could be lost is refused: invalid characters, or a duplicate name whose first value is
 * ignored.
 */
function documentIn(bytes: Buffer, path: string): Contents<PolicyDocument> {
  if (!isUtf8(bytes)) return refusal(`${path} contains bytes that are not UTF-8. Save it as UTF-8.`);
  const text = bytes.toString("utf8");
  const twice = doubledName(text);
  if (twice !== undefined) {
    return refusal(`${path} has ${twice} twice in one place, and only one of them counts. Remove one.`);
  }
  const json = parseJson(text);
  const read = "value" in json ? PolicyFile.safeParse(json.value) : undefined;
  if (read?.success) return { value: { text, rules: read.data.rules }, problems: [], state: "usable" };
  return refusal(`${path} contains no policies that can be read. Correct it, or move it away.`, text);
}

function refusal(problem: string, text?: string): Contents<PolicyDocument> {
  return { value: { rules: [], ...(text === undefined ? {} : { text }) }, problems: [problem], state: "refused" };
}
