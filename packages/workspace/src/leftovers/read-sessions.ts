import { dirname } from "node:path";
import { amount } from "@harness/protocol";
import { findImports } from "@harness/storage";
import type { FoundLeftover } from "./leftover.ts";

/** All sessions of a program as one item; `taken`: the files imported before. */
export function sessionsLeft(
  program: string,
  folder: string,
  { home, taken }: { home: string; taken: ReadonlySet<string> },
): FoundLeftover[] {
  const paths = findImports(home, "chat")
    .map(({ path }) => path)
    .filter((path) => dirname(path) === folder && !taken.has(path));
  if (paths.length === 0) return [];
  const name = amount(paths.length, "session");
  return [
    { program, kind: "session", path: folder, name, becomes: `${name} here`, change: { kind: "session", paths } },
  ];
}
