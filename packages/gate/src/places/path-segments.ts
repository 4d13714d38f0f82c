/** Segments of a path in lower case: text, text with one `*` for any characters, or `?` for any one segment. */
export type SegmentPattern = readonly string[];

/**
 * A segment without what file systems ignore or fold: invisible characters, case, and endings that Windows strips, as
 * in `.GIT`, `.git.`, `.git::$INDEX_ALLOCATION`. Some of them treat `ſ` and `K` (Kelvin) as an s and a k.
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

/** Places to search for in paths. Many paths are checked, so most are ruled out by a single name. */
export class PlacePatterns {
  readonly #all: readonly SegmentPattern[];
  /** By their first name, if it is plain. */
  readonly #plain = new Map<string, SegmentPattern[]>();
  readonly #wild: SegmentPattern[] = [];

  constructor(places: readonly SegmentPattern[]) {
    this.#all = places;
    for (const place of places) {
      const [first = ""] = place;
      if (/[*?]/.test(first)) this.#wild.push(place);
      else this.#plain.set(first, [...(this.#plain.get(first) ?? []), place]);
    }
  }

  /** True if one of them occurs anywhere in the path. */
  isIn(segments: readonly string[]): boolean {
    return segments.some((segment, start) => {
      const places = segment.includes("~") ? this.#all : [...(this.#plain.get(segment) ?? []), ...this.#wild];
      return places.some((place) => place.every((name, offset) => isNamed(segments[start + offset], name)));
    });
  }
}

function isNamed(segment: string | undefined, name: string): boolean {
  if (segment === undefined) return false;
  if (segment === name || name === "?") return true;
  const star = name.indexOf("*");
  if (star >= 0 && segment.length >= name.length - 1) {
    if (segment.startsWith(name.slice(0, star)) && segment.endsWith(name.slice(star + 1))) return true;
  }
  return segment.includes("~") && isShortName(segment, name);
}

/**
 * The 8.3 names that Windows gives to longer ones: `GIT~1`, `HARNES~1`, `MCP~1.JSO`, and `GI7EBA~1` if such a name was
 * taken.
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
