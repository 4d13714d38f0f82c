import type { Dirent } from "node:fs";
import { lstat, opendir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { defineTool, type ToolApproval, type ToolContext, type ToolResult } from "@harness/core";
import { errorCode } from "@harness/host";
import * as z from "zod";
import { absolutePath, shownPath } from "./files/absolute-path.ts";
import { fileProblem } from "./files/file-problem.ts";
import { realPathOf, strayed } from "./files/judged-path.ts";
import { missingFile } from "./files/near-names.ts";
import { createIgnoreRules } from "./search/ignore-rules.ts";
import { amount, size } from "./text/amount.ts";
import { oneLine } from "./text/one-line.ts";
import { cancelled, done, failed } from "./tool-result.ts";

const MAX_SHOWN = 500;
/** A folder with more entries is listed in part. */
const MAX_READ = 100_000;
const SHOWN_IGNORED = 10;

const args = z.strictObject({ path: z.string().optional().describe("Folder") });
type LsArgs = z.infer<typeof args>;

export const ls = defineTool<LsArgs>({
  name: "ls",
  description: "Lists a folder.",
  args,
  category: "readOnly",
  subject: "path",
  offer: "if-room",
  effects: ({ path }, cwd) => [{ kind: "read", path: absolutePath(path ?? ".", cwd) }],
  title: ({ path }, cwd) => oneLine(`ls ${shownPath(absolutePath(path ?? ".", cwd), cwd)}`),
  async run(call, context, approval) {
    if (context.signal.aborted) return cancelled("nothing was listed.");
    const folder = absolutePath(call.path ?? ".", context.cwd);
    const shown = shownPath(folder, context.cwd);
    try {
      return await listFolder({ folder, shown }, context, approval);
    } catch (error) {
      const code = errorCode(error);
      if (code === "ENOENT") return failed(await missingFile(folder, context.cwd));
      if (code === "ENOTDIR") return failed(`${shown} is not a folder: read shows files.`);
      return failed(`Cannot list ${shown}: ${fileProblem(error)}.`);
    }
  },
});

async function listFolder(
  { folder, shown }: { folder: string; shown: string },
  context: ToolContext,
  { realPaths }: ToolApproval,
): Promise<ToolResult> {
  const real = await realPathOf(folder);
  const stray = strayed(folder, real, { cwd: context.cwd, realPaths });
  if (stray) return failed(stray);
  const all: Dirent[] = [];
  for await (const entry of await opendir(real)) {
    all.push(entry);
    if (all.length >= MAX_READ || context.signal.aborted) break;
  }
  if (all.length === 0) return done(`${shown} is empty.`, [{ type: "tree", entries: [] }]);
  const visible = await createIgnoreRules(context.cwd).visible(real, all);
  const kept = new Set(visible);
  const ignored = all.filter((entry) => !kept.has(entry)).map((entry) => entry.name);
  const entries = visible.toSorted(
    (a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1),
  );
  const first = entries.slice(0, MAX_SHOWN);
  const rows = await Promise.all(first.map((entry) => row(real, entry)));
  const more = entries.length - first.length;
  const notes: string[] = [];
  if (more > 0)
    notes.push(`… and ${all.length >= MAX_READ ? "at least " : ""}${amount(more, "more entry", "more entries")}`);
  if (ignored.length > 0) notes.push(ignoredNote(ignored));
  return done([...rows, ...notes].join("\n"), [
    {
      type: "tree",
      entries: first.map((entry) => ({ path: entry.name, directory: entry.isDirectory() })),
      ...(more > 0 ? { more } : {}),
    },
  ]);
}

async function row(folder: string, entry: Dirent): Promise<string> {
  const path = join(folder, entry.name);
  const name = oneLine(entry.name, 300);
  if (entry.isDirectory()) return `${name}/`;
  try {
    if (entry.isSymbolicLink()) return `${name} -> ${oneLine(await readlink(path), 300)}`;
    if (entry.isFile()) return `${name}  ${size((await lstat(path)).size)}`;
  } catch {
    return `${name}  (gone)`;
  }
  return `${name}  (${entry.isFIFO() ? "FIFO" : entry.isSocket() ? "socket" : "device"})`;
}

function ignoredNote(names: readonly string[]): string {
  const shown = names
    .toSorted()
    .slice(0, SHOWN_IGNORED)
    .map((name) => oneLine(name, 100));
  const rest = names.length > SHOWN_IGNORED ? ` and ${names.length - SHOWN_IGNORED} more` : "";
  return `[ignored: ${shown.join(", ")}${rest}]`;
}
