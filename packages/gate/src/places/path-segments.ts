/**
 * Segments of a path, spelt in lower case: text, or text with a `*` at its end for any rest, or `?` for any one segment.
 */
export type Place = readonly string[];

/**
 * A segment without what file systems pass over or fold: invisible characters, case, and what Windows cuts off, as in
 * `.GIT`, `.git.`, `.git::$INDEX_ALLOCATION`. `ſ` and `K` (Kelvin) are an s and a k to some of them.
 */
export function plainSegment(segment: string): string {
  return segment
    .normalize("NFC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/(?<=.):.*$/s, "")
    .replace(/[. ]+$/, "")
    .toUpperCase()
    .toLowerCase();
}

export function plainSegments(path: string): string[] {
  return path.split(/[/\\]/).filter(Boolean).map(plainSegment);
}

export function holds(segments: readonly string[], places: readonly Place[]): boolean {
  return segments.some((_, start) =>
    places.some((place) => place.every((name, offset) => isNamed(segments[start + offset], name))),
  );
}

function isNamed(segment: string | undefined, name: string): boolean {
  if (segment === undefined) return false;
  if (segment === name || name === "?") return true;
  if (name.endsWith("*") && segment.startsWith(name.slice(0, -1))) return true;
  return segment.includes("~") && isShortName(segment, name);
}

/**
 * The names of eight letters that Windows gives to longer ones: `GIT~1`, `HARNES~1`, `MCP~1.JSO`, and `GI7EBA~1` where
 * such a name was taken.
 */
function isShortName(segment: string, name: string): boolean {
  const [, stem = "", ending = ""] = /^([^~]*)~\d+(?:\.(.*))?$/.exec(segment) ?? [];
  const plain = name.replace(/^\.+|\*$/g, "");
  const dot = plain.lastIndexOf(".");
  const base = (dot < 0 ? plain : plain.slice(0, dot)).replaceAll(".", "").slice(0, 6);
  if (!name.endsWith("*") && ending !== (dot < 0 ? "" : plain.slice(dot + 1, dot + 4))) return false;
  if (stem === base || (stem.length >= 4 && base.startsWith(stem))) return true;
  return /^..[0-9a-f]{4}$/.test(stem) && base.startsWith(stem.slice(0, 2));
}
