import { isBelow, resolvePath } from "./path-place.ts";

/**
 * The folders of a PATH in which programs may be looked for: absolute ones that do not lie in any of `folders`, by name
 * or by where `real` says that they lead. A program is never found in the folder where one happens to be, nor among the
 * files that a repository brings or a model wrote.
 */
export function pathOutside(path: string, folders: readonly string[], real: (path: string) => string): string {
  const roots = folders.flatMap((each) => [resolvePath("/", each), real(each)]);
  const isInside = (each: string) => roots.some((root) => isBelow(each, root));
  return path
    .split(":")
    .filter((each) => each.startsWith("/") && !isInside(resolvePath("/", each)) && !isInside(real(each)))
    .join(":");
}
