import type { SourceFile } from "./source-files.ts";

/**
 * A name is exported by only one file of all packages, so that it is unambiguous. A schema and its type share theirs.
 */
export function doubleNames(files: readonly SourceFile[]): string[] {
  const names = files
    .filter(({ isProduction }) => isProduction)
    .flatMap(({ path, exports }) => [...new Set(exports.map(({ name }) => name))].map((name) => ({ name, path })));
  return [...Map.groupBy(names, ({ name }) => name)]
    .filter(([name, all]) => name !== "" && all.length > 1)
    .map(
      ([name, all]) => `${name} is declared in ${all.map(({ path }) => path).join(" and ")}: exported names are unique`,
    );
}
