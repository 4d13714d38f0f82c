import {
  cancelledResult,
  defineTool,
  errorResult,
  type FileFinder,
  okResult,
  type ToolApproval,
  type ToolContext,
  type ToolResult,
} from "@harness/core";
import { errorCode, realPathOf } from "@harness/host";
import { amount, byteSize, shownName } from "@harness/protocol";
import * as z from "zod";
import { absolutePath, displayPath } from "./files/absolute-path.ts";
import { fileProblem } from "./files/file-problem.ts";
import { strayed } from "./files/judged-path.ts";
import { missingFile } from "./files/near-names.ts";
import { type FolderListing, readTree, type TreeEntry } from "./search/folder-tree.ts";
import { walkedFiles } from "./search/walked-files.ts";
import { oneLine } from "./text/one-line.ts";

const MAX_SHOWN = 500;
const MAX_DEPTH = 10;
const SHOWN_IGNORED = 10;

const args = z.strictObject({
  path: z.string().optional().describe("Folder"),
  depth: z.int().optional().describe("Levels"),
  hidden: z.boolean().optional().describe("Dot files, default true"),
  sort: z.enum(["name", "size", "modified"]).optional().describe("Order"),
  reverse: z.boolean().optional().describe("Turn the order around"),
  max_entries: z.int().optional().describe("Most entries, default 500"),
});
type LsArgs = z.infer<typeof args>;

export function createLs({ files = walkedFiles }: { readonly files?: FileFinder | undefined } = {}) {
  return defineTool<LsArgs>({
    name: "ls",
    description: "Lists a folder.",
    args,
    category: "readOnly",
    subject: "path",
    offer: "ample-room",
    effects: ({ path }, cwd) => [{ kind: "read", path: absolutePath(path ?? ".", cwd) }],
    title: ({ path }, cwd) => oneLine(`ls ${displayPath(absolutePath(path ?? ".", cwd), cwd)}`),
    async run(call, context, approval) {
      if (context.signal.aborted) return cancelledResult("nothing was listed.");
      const folder = absolutePath(call.path ?? ".", context.cwd);
      const shown = displayPath(folder, context.cwd);
      try {
        return await listFolder({ ...call, folder, shown }, { context, approval, files });
      } catch (error) {
        const code = errorCode(error);
        if (code === "ENOENT") return errorResult(await missingFile(folder, context.cwd));
        if (code === "ENOTDIR") return errorResult(`${shown} is not a folder: read shows files.`);
        return errorResult(`Cannot list ${shown}: ${fileProblem(error)}.`);
      }
    },
  });
}

async function listFolder(
  {
    folder,
    shown,
    depth = 1,
    hidden = true,
    sort = "name",
    reverse = false,
    max_entries: most,
  }: LsArgs & { folder: string; shown: string },
  { context, approval: { realPaths }, files }: { context: ToolContext; approval: ToolApproval; files: FileFinder },
): Promise<ToolResult> {
  const real = await realPathOf(folder);
  const stray = strayed(folder, real, { cwd: context.cwd, realPaths });
  if (stray) return errorResult(stray);
  const listing = await readTree({
    base: real,
    depth: Math.min(Math.max(1, depth), MAX_DEPTH),
    isHiddenShown: hidden,
    order: sort,
    isReversed: reverse,
    maxEntries: Math.min(Math.max(1, most ?? MAX_SHOWN), MAX_SHOWN),
    rules: files.rules(context.cwd),
    signal: context.signal,
  });
  const tree: Tree = { rows: [], entries: [], ignored: [], more: 0, isLeast: false };
  addTo(tree, listing, "", "");
  if (tree.rows.length + tree.ignored.length + tree.more === 0) {
    return okResult(`${shown} is empty.`, [{ type: "tree", entries: [] }]);
  }
  const notes: string[] = [];
  if (tree.more > 0)
    notes.push(`… and ${tree.isLeast ? "at least " : ""}${amount(tree.more, "more entry", "more entries")}`);
  if (tree.ignored.length > 0) notes.push(ignoredNote(tree.ignored));
  return okResult([...tree.rows, ...notes].join("\n"), [
    { type: "tree", entries: tree.entries, ...(tree.more > 0 ? { more: tree.more } : {}) },
  ]);
}

type Tree = {
  rows: string[];
  entries: { path: string; directory: boolean }[];
  ignored: string[];
  more: number;
  isLeast: boolean;
};

function addTo(tree: Tree, { entries, ignored, more, isLeast }: FolderListing, path: string, indent: string): void {
  for (const entry of entries) {
    tree.rows.push(indent + row(entry));
    tree.entries.push({ path: path + entry.name, directory: entry.kind === "folder" });
    if (entry.inside) addTo(tree, entry.inside, `${path}${entry.name}/`, `${indent}  `);
  }
  tree.ignored.push(...ignored.map((name) => path + name));
  tree.more += more;
  tree.isLeast ||= isLeast;
}

function row({ name, kind, sizeBytes, leadsTo }: TreeEntry): string {
  const shown = shownName(name);
  switch (kind) {
    case "folder":
      return `${shown}/`;
    case "file":
      return `${shown}  ${byteSize(sizeBytes ?? 0)}`;
    case "link":
      return `${shown} -> ${shownName(leadsTo ?? "")}`;
    case "unknown":
      return `${shown}  (${name.includes("\uFFFD") ? "name is not UTF-8" : "gone"})`;
    default:
      return `${shown}  (${kind})`;
  }
}

function ignoredNote(names: readonly string[]): string {
  const shown = names
    .toSorted()
    .slice(0, SHOWN_IGNORED)
    .map((name) => oneLine(shownName(name), 100));
  const rest = names.length > SHOWN_IGNORED ? ` and ${names.length - SHOWN_IGNORED} more` : "";
  return `[ignored: ${shown.join(", ")}${rest}]`;
}
