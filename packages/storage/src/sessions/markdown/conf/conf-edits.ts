import type { SessionDigest } from "@harness/protocol";
import type { SessionConf } from "./session-conf.ts";

/** The values of `session.conf` that count when a person changes them. */
const editable = ["title", "provider", "model"] as const;
type EditableConf = Record<(typeof editable)[number], string>;
const MAX_CHARACTERS = 500;

export function editableConf({ title = "", provider = "", model = "" }: Partial<SessionDigest>): EditableConf {
  return { title, provider, model };
}

/**
 * The values that a person has changed. Values that a killed process has left behind are not changes, nor are missing or empty
 * ones.
 */
export function confEdits(
  found: Partial<SessionConf>,
  { last, now }: { last: Readonly<Record<string, string>> | undefined; now: EditableConf },
): Partial<EditableConf> {
  return Object.fromEntries(
    editable.flatMap((key) => {
      const value = (found[key] ?? "").trim();
      const isSame = value === oneLine(now[key]).trim() || value === oneLine(last?.[key] ?? "").trim();
      return value === "" || isSame || !isPlain(value) ? [] : [[key, value] as const];
    }),
  );
}

/** Of a form that a name or a title can have. */
function isPlain(value: string): boolean {
  return value.length <= MAX_CHARACTERS && !/\p{Cc}/u.test(value);
}

const oneLine = (value: string): string => value.replace(/[\r\n]+/g, " ");
