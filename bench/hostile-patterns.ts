import { join } from "node:path";
import { WildcardPattern } from "@harness/gate";
import { LinearRegex } from "@harness/host";
import { PathPattern } from "../packages/gate/src/places/path-pattern.ts";
import { globParts } from "../packages/tools/src/search/glob-parts.ts";
import { IgnoreFile } from "../packages/tools/src/search/ignore-file.ts";
import type { Figure } from "./figures.ts";
import type { GrowthRow } from "./growth.ts";

const COUNT = 100;
const all = Array.from({ length: COUNT }, (_, n) => n);

/** Patterns that a backtracking engine would try for years, each a little different. */
const globs = all.map((n) => `${"*a".repeat(12 + (n % 20))}${"?*".repeat(n % 5)}${"**/a/".repeat(n % 3)}/z${n}`);
const expressions = all.map((n) => `(a+)+${"a?".repeat(n % 20)}(b|a)*z${n}`);
const names = all.map((n) => `${"a".repeat(120 + n)}${n}`);

/** Hostile patterns against hostile names, each against each: how long the process is blocked. */
const loops: Readonly<Record<string, () => void>> = {
  "patterns of rules": () => {
    const patterns = globs.map((text) => new PathPattern(text));
    for (const pattern of patterns) for (const name of names) pattern.cover(join("/w", name), "/w", "deny");
  },
  "patterns of searches": () => {
    const patterns = globs.map((text) => new WildcardPattern(globParts(text, "itself") ?? []));
    for (const pattern of patterns) for (const name of names) pattern.test(name);
  },
  "rules of a .gitignore": () => {
    const file = new IgnoreFile(globs.join("\n"), { inAnyCase: false });
    for (const name of names) file.ignores(name, { isFolder: false });
  },
  // A call has several names: ours, those in other programs, and the MCP tool's.
  "matchers of hooks, 10 names of 40 characters": () => {
    for (const source of expressions) {
      const regex = LinearRegex.read(source);
      if (!("problem" in regex)) for (const name of names.slice(0, 10)) regex.search(name.slice(-40));
    }
  },
};

export function hostilePatternFigures(times: number): Figure[] {
  return Object.entries(loops).map(([name, run]) => {
    const runs = Array.from({ length: times }, () => {
      const began = performance.now();
      run();
      return performance.now() - began;
    });
    return { name: `100 hostile × 100 names: ${name}`, unit: "ms", runs, target: 50 };
  });
}

const line = "a".repeat(12);

export const patternGrowth: readonly GrowthRow[] = [
  ...globs.slice(0, 5).map((text) => ({
    name: `a path against ${text.slice(0, 30)}…`,
    size: 100_000,
    textOf: (size: number) => line.repeat(size / line.length),
    read: (path: string) => new PathPattern(`/${text}`).cover(`/${path}`, "/", "deny"),
  })),
  {
    name: "a pattern of opening brackets, taken apart",
    size: 12_000,
    textOf: (size: number) => "[[:a".repeat(size / 4),
    read: (pattern: string) => globParts(pattern, "itself"),
  },
  ...expressions.slice(0, 3).map((source) => ({
    name: `a name against /${source}/`,
    size: 4_000,
    textOf: (size: number) => line.repeat(size / line.length),
    read: (name: string) => {
      const regex = LinearRegex.read(source);
      if (!("problem" in regex)) regex.search(name);
    },
  })),
];
