import type { ReadReach } from "../command/read-reach.ts";
import { isWithin, resolvePath } from "../places/path-place.ts";
import { patternsMeet } from "../places/pattern-meeting.ts";
import { isSecret } from "../places/secret-files.ts";
import type { Rule } from "./rule.ts";

/** Memo of a pure function: a changed rule means a new list object. */
const hiding = new WeakMap<readonly Rule[], readonly Rule[]>();

/** The rules that keep files from being read unasked. */
export function hidingRules(rules: readonly Rule[]): readonly Rule[] {
  const known = hiding.get(rules);
  if (known) return known;
  const found = rules.filter(hidesFiles);
  hiding.set(rules, found);
  return found;
}

/** A rule about `read` hides the file from every tool. */
function hidesFiles({ decision, tool, subject }: Rule): boolean {
  return decision !== "allow" && subject?.path !== undefined && (tool === "read" || tool === "*");
}

/** Which files of a searched folder must stay hidden; undefined: none. Takes real paths. */
export function hiddenFiles(
  rules: readonly Rule[],
  roots: readonly string[],
): ((realPath: string) => boolean) | undefined {
  const found = hidingRules(rules);
  if (found.length === 0) return undefined;
  const covers = found.map(({ subject, base }) => ({ pattern: subject?.path, bases: basesOf(base, roots) }));
  return (realPath) =>
    covers.some(({ pattern, bases }) => bases.some((each) => pattern?.cover(realPath, each, "deny") !== undefined));
}

/**
 * The rule that may forbid reading something in these folders, for a command whose files are only known when it runs.
 * Such commands skip files with secret names anyway.
 */
export function hidingRule(
  rules: readonly Rule[],
  folders: readonly string[],
  roots: readonly string[],
): Rule | undefined {
  if (folders.length === 0) return undefined;
  return hidingRules(rules).find((rule) => {
    const path = rule.subject?.path;
    if (path === undefined || isSecret(path.text)) return false;
    return basesOf(rule.base, roots).some((base) => folders.some((folder) => mayLieIn(path.text, folder, base)));
  });
}

/** The rule that may forbid what a command reads, if the command is not known to skip any files. */
export function unsureRule(
  rules: readonly Rule[],
  { maybe, patterns, open }: ReadReach,
  roots: readonly string[],
): Rule | undefined {
  if (maybe.length === 0 && patterns.length === 0 && open.length === 0) return undefined;
  return hidingRules(rules).find((rule) => {
    const pattern = rule.subject?.path;
    if (pattern === undefined) return false;
    return basesOf(rule.base, roots).some(
      (base) =>
        open.some((folder) => mayLieIn(pattern.text, folder, base)) ||
        maybe.some((path) => pattern.cover(path, base, "deny") !== undefined) ||
        patterns.some((each) => patternsMeet(each, pattern.text, base)),
    );
  });
}

/**
 * The rule that may forbid writing something in these folders, for a command whose files are only known when it runs.
 */
export function guardingRule(
  rules: readonly Rule[],
  folders: readonly string[],
  roots: readonly string[],
): Rule | undefined {
  if (folders.length === 0) return undefined;
  return rules.find(({ decision, tool, subject, base }) => {
    const path = subject?.path;
    if (decision === "allow" || path === undefined || !/^(?:write|edit|\*)$/.test(tool)) return false;
    return basesOf(base, roots).some((each) => folders.some((folder) => mayLieIn(path.text, folder, each)));
  });
}

function basesOf(base: string | undefined, roots: readonly string[]): readonly string[] {
  return base === undefined ? roots : [base, ...roots];
}

/** Judges by the part of the pattern before its first star; one without a slash may match anywhere below the base. */
function mayLieIn(pattern: string, folder: string, base: string): boolean {
  const segments = pattern.replace(/^\.\/+/, "").split("/");
  const star = segments.findIndex((segment) => /[*?]/.test(segment));
  const start = segments.length === 1 ? "." : segments.slice(0, star < 0 ? undefined : star).join("/");
  const place = resolvePath(base, pattern.startsWith("/") && start === "" ? "/" : start).toLowerCase();
  const wanted = folder.toLowerCase();
  return isWithin(place, wanted) || isWithin(wanted, place);
}
