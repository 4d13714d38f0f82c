import { posix } from "node:path";
import { type SourceFile, target } from "./source-files.ts";

/** One import between two neighbours of a folder: files, or folders with everything in them. */
type Arrow = { readonly from: string; readonly to: string; readonly example: string };

/**
 * At each level of a package its neighbours (folders contracted to one point, and files) may import each other in one
 * direction only. Returns each circle, with an import for each of its arrows.
 */
export function folderCircles(files: readonly SourceFile[]): string[] {
  const arrows = arrowsByFolder(files.filter(({ isProduction }) => isProduction));
  return [...arrows].flatMap(([folder, list]) =>
    circles(list).map((circle) => {
      const within = list.filter(({ from, to }) => circle.has(from) && circle.has(to));
      const examples = new Map(within.map(({ from, to, example }) => [`${from} → ${to}`, example]));
      const lines = [...examples].map(([arrow, example]) => `\n    ${arrow}, as in ${example}`);
      return `${folder}: ${[...circle].sort().join(", ")} import each other${lines.join("")}`;
    }),
  );
}

function arrowsByFolder(files: readonly SourceFile[]): Map<string, Arrow[]> {
  const known = new Set(files.map(({ path }) => path));
  const byFolder = new Map<string, Arrow[]>();
  for (const file of files) {
    for (const specifier of file.imports) {
      const to = target(file, specifier);
      if (!to || to === file.path || !known.has(to)) continue;
      const [here, there] = [file.path.split("/"), to.split("/")];
      const fork = here.findIndex((part, place) => part !== there[place]);
      const folder = here.slice(0, fork).join("/");
      const example = `${posix.relative(folder, file.path)} (${specifier})`;
      const list = byFolder.get(folder) ?? [];
      list.push({ from: here[fork] ?? "", to: there[fork] ?? "", example });
      byFolder.set(folder, list);
    }
  }
  return byFolder;
}

/** Sets of points that all reach each other (Tarjan's strongly connected components, without single points). */
function circles(arrows: readonly Arrow[]): Set<string>[] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of arrows) next.set(from, (next.get(from) ?? new Set()).add(to));
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: Set<string>[] = [];
  const visit = (point: string): number => {
    const own = index.size;
    index.set(point, own);
    low.set(point, own);
    stack.push(point);
    for (const to of next.get(point) ?? []) {
      const reached = index.has(to) ? (stack.includes(to) ? index.get(to) : undefined) : visit(to);
      low.set(point, Math.min(low.get(point) ?? own, reached ?? own));
    }
    const lowest = low.get(point) ?? own;
    if (lowest === own) {
      const circle = stack.splice(stack.indexOf(point));
      if (circle.length > 1) found.push(new Set(circle));
    }
    return lowest;
  };
  for (const point of next.keys()) if (!index.has(point)) visit(point);
  return found;
}
