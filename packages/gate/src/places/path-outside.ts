import { isWithin, resolvePath } from "./path-place.ts";

/**
 * The folders of a PATH in which programs may be looked for: absolute ones outside all of `folders`, both by name and
 * by their targets according to `real`. A program is never taken from the current folder, nor from files that a
 * repository brings or a model wrote.
 */
export function pathOutside(path: string, folders: readonly string[], real: (path: string) => string): string {
  const roots = folders.flatMap((each) => [resolvePath("/", each), real(each)]);
  const isInside = (each: string) => roots.some((root) => isWithin(each, root));
  return path
    .split(":")
    .filter((each) => each.startsWith("/") && !isInside(resolvePath("/", each)) && !isInside(real(each)))
    .join(":");
}
