import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root, type SourceFile } from "./source-files.ts";

/** The packages of ours that a package, or one of its files, may import. */
export type PackageArrows = ReadonlyMap<string, ReadonlySet<string>>;

/** The table of the page: `| `name` | what it may import | … |`; the name is a package or `package/src/file.ts`. */
export function readPackageArrows(page = readFileSync(join(root, "docs/architecture.md"), "utf8")): PackageArrows {
  const [, section = ""] = page.split("## The packages\n");
  const [table = ""] = section.split("\n## ");
  const rows = table.matchAll(/^\| `([\w./-]+)` \| ([^|]*) \|/gm);
  return new Map(
    [...rows].map(([, name = "", cell = ""]) => [
      name,
      new Set([...cell.matchAll(/`(\w+)`/g)].map(([, to = ""]) => to)),
    ]),
  );
}

export function forbiddenArrows(files: readonly SourceFile[], arrows: PackageArrows): string[] {
  return files
    .filter(({ isProduction }) => isProduction)
    .flatMap((file) => {
      const allowed = arrows.get(file.path.replace("packages/", "")) ?? arrows.get(file.package);
      if (!allowed) return [`${file.path}: docs/architecture.md has no row for the package ${file.package}`];
      return file.imports
        .map((specifier) => /^@harness\/(\w+)/.exec(specifier)?.[1])
        .filter((to) => to !== undefined && to !== file.package && !allowed.has(to))
        .map((to) => `${file.path}: ${file.package} may not import ${to} (docs/architecture.md, the packages)`);
    });
}

/** Packages of the table that do not exist, and imports that its rows allow although a package.json lacks them. */
export function staleArrows(files: readonly SourceFile[], arrows: PackageArrows): string[] {
  const names = new Set(files.map((file) => file.package));
  const named = [...arrows].flatMap(([name, allowed]) => [name.split("/")[0] ?? "", ...allowed]);
  return [...new Set(named)]
    .filter((name) => !names.has(name))
    .map((name) => `docs/architecture.md: the package ${name} does not exist`);
}
