import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { vendors } from "@harness/providers";
import { describe, expect, it } from "vitest";
import { features } from "./contract-features.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const pages = ["README.md", "AGENTS.md", "examples/README.md", ...globSync("docs/**/*.md", { cwd: root })];

describe("pages written by people", () => {
  it.each(pages)("%s names only files that exist", (page) => {
    const text = read(page);
    const pictures = [...text.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, target = ""]) => join(page, "..", target));
    const paths = [...text.matchAll(/`((?:packages|bin|docs|bench|examples)\/[\w./-]+)`/g)].map(
      ([, path = ""]) => path,
    );
    const missing = [...pictures, ...paths].filter((path) => !existsSync(join(root, path)));
    expect(missing).toEqual([]);
  });

  it("the record of contracts lists every vendor, and no failure", () => {
    const record: Record<string, Record<string, string>> = JSON.parse(read("scripts/docs/contracts.json"));
    const recorded = new Set(Object.keys(record).map((key) => key.split(" ")[0]));
    expect(vendors.map(({ id }) => id).filter((id) => !recorded.has(id))).toEqual([]);
    const columns = features.map(({ id }) => id).sort();
    for (const outcomes of Object.values(record)) {
      expect(Object.keys(outcomes).sort()).toEqual(columns);
      expect(Object.values(outcomes)).not.toContain("failed");
    }
  });

  it("dependencies.md has one line for every dependency and no other lines", () => {
    const ours = globSync("packages/*/package.json", { cwd: root }).flatMap((path) => {
      const { dependencies = {}, optionalDependencies = {}, devDependencies = {} } = JSON.parse(read(path));
      return Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
    });
    const tools = Object.keys(JSON.parse(read("package.json")).devDependencies);
    const wanted = new Set([...ours, ...tools].filter((name) => !name.startsWith("@harness/")));
    const named = new Set([...read("docs/dependencies.md").matchAll(/`(@?[\w./-]+)`/g)].map(([, name = ""]) => name));
    expect([...wanted].filter((name) => !named.has(name))).toEqual([]);
    const rows = [...read("docs/dependencies.md").matchAll(/^\| `([^`]+)`/gm)].map(([, name = ""]) => name);
    expect(rows.filter((name) => !wanted.has(name))).toEqual([]);
  });
});
