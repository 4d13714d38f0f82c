import { distance } from "fastest-levenshtein";

/** The known name that was most likely meant, if one is close. */
export function closestName(typed: string, known: readonly string[]): string | undefined {
  const near = known
    .map((name) => ({ name, far: name.startsWith(typed) && typed.length > 1 ? 1 : distanceWithSwap(typed, name) }))
    .filter(({ name, far }) => far <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.far - b.far);
  return near[0]?.name;
}

/** Two swapped neighbouring letters count as one mistake. */
function distanceWithSwap(typed: string, name: string): number {
  let least = distance(typed, name);
  for (let at = 1; at < typed.length; at += 1) {
    const swapped = `${typed.slice(0, at - 1)}${typed.charAt(at)}${typed.charAt(at - 1)}${typed.slice(at + 1)}`;
    if (swapped !== typed) least = Math.min(least, 1 + distance(swapped, name));
  }
  return least;
}
