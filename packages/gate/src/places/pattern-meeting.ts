import { globsMeet } from "./secret-files.ts";

/** Folders are not nested more deeply. */
const MAX_SEGMENTS = 60;

/**
 * True if one path could match both `glob`, an absolute shell pattern, and the pattern of a rule, or could lie in a
 * folder that the rule's pattern names. The time grows with the product of their segment counts.
 */
export function patternsMeet(glob: string, pattern: string, base: string): boolean {
  const plain = pattern.toLowerCase();
  const [names, top, wanted] = [segmentsOf(glob.toLowerCase()), segmentsOf(base.toLowerCase()), segmentsOf(plain)];
  if (names.length > MAX_SEGMENTS || wanted.length > MAX_SEGMENTS) return true;
  if (plain.startsWith("/")) return meet(names, wanted);
  // Above the base the names are known, unless the glob leads past it.
  if (!top.every((segment, at) => segmentsMeet(names[at] ?? "*", segment))) return false;
  const inside = names.slice(top.length);
  if (wanted.length > 1 || inside.length === 0) return meet(inside, wanted);
  return inside.some((name) => segmentsMeet(name, wanted[0] ?? "**"));
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "" && segment !== ".");
}

/** Either may lead into a folder that the other stands for. */
function meet(names: readonly string[], wanted: readonly string[]): boolean {
  let places = new Set([0]);
  for (const name of names) {
    const next = new Set<number>();
    for (const at of withSkipped(places, wanted)) {
      if (at === wanted.length) return true;
      if (name === "**") for (let to = at; to <= wanted.length; to += 1) next.add(to);
      else if (wanted[at] === "**") next.add(at);
      else if (segmentsMeet(name, wanted[at] ?? "")) next.add(at + 1);
    }
    places = next;
  }
  return places.size > 0;
}

/** `**` also matches no folder at all. */
function withSkipped(places: ReadonlySet<number>, wanted: readonly string[]): Set<number> {
  const all = new Set(places);
  for (const at of all) if (wanted[at] === "**") all.add(at + 1);
  return all;
}

function segmentsMeet(name: string, wanted: string): boolean {
  return wanted === "**" || globsMeet(name, wanted.replace(/\*+/g, "*"));
}
