import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root, type SourceFile } from "./source-files.ts";

/** A station on the path of a prompt: a file, and a function or a method (`Class.method`) in it. */
type Station = { readonly file: string; readonly name: string };

export function readStations(page = readFileSync(join(root, "docs/architecture.md"), "utf8")): Station[] {
  const section = page.split("## The path of a prompt\n")[1]?.split("\n## ")[0] ?? "";
  const rows = section.matchAll(/^\| \d+ \| `([^`]+)` \| `([^`]+)` \|/gm);
  return [...rows].map(([, file = "", name = ""]) => ({ file, name }));
}

export function lostStations(files: readonly SourceFile[], stations: readonly Station[]): string[] {
  const declared = new Map(files.map(({ path, declares }) => [path, declares]));
  return stations.flatMap(({ file, name }) => {
    const missing = name.split(".").filter((part) => !declared.get(file)?.has(part));
    return missing.length === 0 ? [] : [`docs/architecture.md, the path of a prompt: ${file} has no ${name}`];
  });
}
