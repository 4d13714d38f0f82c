import { distance } from "fastest-levenshtein";
import { lenientName } from "../../context/lenient-name.ts";
import type { ToolForm } from "../../ports/tool.ts";
import { isInput } from "../../tools/argument-names.ts";
import type { ArgumentSchema } from "./coerce.ts";

/** Arguments that explain a call to people and change nothing about it, by their last word. */
const REMARKS = words(
  "comment description explanation intent intention justification note notes purpose rationale reason reasoning summary thinking thought thoughts title why",
);
/** Words of arguments that limit what a call does, whatever their value is. */
const LIMITS = words(
  "allow allowed apply approval approvals approve ask background base branch budget check confirm cwd deny denied depth dir directory disallowed dry except exclude excluded file files filter folder force from ignore include isolation limit limits max maximum min minimum only path paths permission permissions preview range readonly restrict root sandbox scope secret simulate skip start stop target timeout tool tools turns until validate worktree write",
);

/** Asks for more rights or fewer checks, as `dangerouslyDisableSandbox: true` does. */
const FREEING = /dangerous|bypass|unsafe|unsandboxed|escalat|elevated|(?:no|disable|outside|without)_sandbox/;

/**
 * True if the call may run without an argument that its tool does not have.
 *
 * - A call that only reads goes without any: what it returns says what it did, and so does the note.
 * - A value that says nothing (null, an empty text or list) is never missed.
 * - A wish for more rights is never granted by leaving it out.
 * - A name close to one of the tool's own may mean it: the call is refused, and the tool's names are listed.
 * - Words for people (`description`, `reason`) are left out everywhere.
 * - A tool that changes files or starts programs takes nothing else: `append`, `cwd`, `dry_run` or `force: false` would
 *   have changed what it does, and there is no list of all such names.
 * - The session's own tools (`question`, `switch_mode`, `start_subagent`) go without the rest, unless its name limits
 *   what they do.
 */
export function canGoWithout(
  name: string,
  value: unknown,
  { category, known }: { category: ToolForm["category"]; known: readonly string[] },
): boolean {
  if (category === "readOnly" || isNothing(value)) return true;
  if (typeof value === "boolean" && FREEING.test(wordsOf(name).join("_"))) return true;
  if (known.some((each) => isNear(name, each))) return false;
  if (isRemark(name, value)) return true;
  return category === "signal" && !wordsOf(name).some((part) => LIMITS.has(part));
}

/** Words for people about the call, such as `description`. */
export function isRemark(name: string, value: unknown): boolean {
  return typeof value === "string" && REMARKS.has(wordsOf(name).at(-1) ?? "");
}

/** The names that the schema has at this place of the arguments. */
export function knownNames(schema: ArgumentSchema, path: readonly PropertyKey[]): string[] {
  let at: ArgumentSchema | undefined = schema;
  for (const key of path) at = typeof key === "number" ? at?.items : at?.properties?.[String(key)];
  return Object.keys(at?.properties ?? {});
}

/** The arguments without one of them, which may be inside others. */
export function withoutArgument(value: unknown, [key, ...rest]: readonly PropertyKey[]): unknown {
  if (Array.isArray(value)) return value.map((each, at) => (at === key ? withoutArgument(each, rest) : each));
  if (!isInput(value) || key === undefined) return value;
  const entries = Object.entries(value).filter(([name]) => rest.length > 0 || name !== key);
  return Object.fromEntries(entries.map(([name, each]) => [name, name === key ? withoutArgument(each, rest) : each]));
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** `file` and `file_path`, `old_txt` and `old_text`. */
function isNear(one: string, other: string): boolean {
  const [plain, known] = [lenientName(one), lenientName(other)];
  if (distance(plain, known) <= (Math.min(plain.length, known.length) < 6 ? 1 : 2)) return true;
  const parts = wordsOf(other);
  return wordsOf(one).some((part) => parts.includes(part));
}

function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== "");
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
