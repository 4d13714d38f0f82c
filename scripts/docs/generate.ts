// Writes the pages and schemas that are derived from tables. `--check` writes nothing and fails if a file differs.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { generatedFiles } from "./pages/pages.ts";

const root = resolve(import.meta.dirname, "../..");
const isCheck = process.argv.includes("--check");
const files = generatedFiles();

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Schemas of methods that are no longer in any table. */
const stale = (readdirSync(join(root, "docs/schema"), { recursive: true, withFileTypes: true }) ?? [])
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  .filter((path) => !files.has(path));

const different = [...files].filter(([path, text]) => read(join(root, path)) !== text).map(([path]) => path);
const changed = [...different, ...stale];
if (isCheck && changed.length > 0) {
  process.stderr.write(`These files do not follow from the tables; run npm run docs:\n  ${changed.join("\n  ")}\n`);
  process.exit(1);
}
for (const path of different) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), files.get(path) ?? "");
}
for (const path of stale) rmSync(join(root, path));
if (!isCheck) process.stdout.write(`${files.size} files, ${changed.length} changed\n`);
