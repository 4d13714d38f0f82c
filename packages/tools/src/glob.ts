import { lstat, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
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
import { isWithin } from "@harness/gate";
import { amount } from "@harness/protocol";
import * as z from "zod";
import { absolutePath, displayPath } from "./files/absolute-path.ts";
import { fileProblem } from "./files/file-problem.ts";
import { outwardProblem, searchBase, splitPattern } from "./search/search-base.ts";
import { walkedFiles } from "./search/walked-files.ts";
import { wildPatterns } from "./search/wild-pattern.ts";
import { oneLine } from "./text/one-line.ts";

const MAX_SHOWN = 200;

const args = z.strictObject({
  pattern: z.string().describe("Such as src/**/*.ts; *.ts is at any depth"),
  path: z.string().optional().describe("Folder"),
});
type GlobArgs = z.infer<typeof args>;

export function createGlob(options: { readonly timeoutMs: number; readonly files?: FileFinder | undefined }) {
  const { files = walkedFiles } = options;
  return defineTool<GlobArgs>({
    name: "glob",
    description: "Finds files that git does not ignore.",
    details: "`**` crosses folders, `*` does not. Shows at most 200 files.",
    args,
    category: "readOnly",
    subject: "path",
    offer: "if-room",
    effects: ({ pattern, path }, cwd) => [{ kind: "read", path: splitPattern(pattern, path, cwd).base }],
    title: ({ pattern, path }, cwd) =>
      oneLine(`glob ${pattern}${path === undefined ? "" : ` in ${displayPath(absolutePath(path, cwd), cwd)}`}`),
    async run(call, context, approval) {
      if (context.signal.aborted) return cancelledResult("nothing was searched.");
      const signal = AbortSignal.any([context.signal, AbortSignal.timeout(options.timeoutMs)]);
      try {
        return await runGlob(call, { context, approval, signal, files });
      } catch (error) {
        return errorResult(`Cannot search for ${call.pattern}: ${fileProblem(error)}.`);
      }
    },
  });
}

type GlobRun = { context: ToolContext; approval: ToolApproval; signal: AbortSignal; files: FileFinder };

async function runGlob(
  call: GlobArgs,
  { context, approval: { realPaths }, signal, files: all }: GlobRun,
): Promise<ToolResult> {
  const { cwd } = context;
  const checked = wildPatterns(call.pattern);
  if ("problem" in checked) return errorResult(`Cannot search: ${checked.problem}.`);
  const split = splitPattern(call.pattern, call.path, cwd);
  const wild = wildPatterns(split.rest);
  if ("problem" in wild) return errorResult(`Cannot search: ${wild.problem}.`);
  const outward = outwardProblem(wild);
  if (outward) return errorResult(`Cannot search: ${outward}.`);
  const base = await searchBase(split.base, { cwd, realPaths });
  if ("problem" in base) return errorResult(base.problem);
  const named = await literal(call, base.real, cwd);
  if (named) return list([named], false, (file) => displayPath(file, cwd));
  if (!base.folder) return errorResult(`${displayPath(split.base, cwd)} is a file: path must be a folder.`);
  // Parentheses are common in folder names, and have no meaning in patterns here.
  const patterns = wild.map((each) => each.replace(/[()]/g, "\\$&"));
  const { files, incomplete } = await all.find({ base: base.real, patterns, cwd, signal });
  if (context.signal.aborted) return cancelledResult("the search was not finished.");
  if (files.length > 0) return list(files, incomplete, (file) => displayPath(join(split.base, file), cwd));
  const where = displayPath(split.base, cwd);
  const why = incomplete ? "before the search took too long" : `in ${where === "." ? cwd : where}`;
  const text = `No files match ${call.pattern} ${why}. Ignored files are not listed.`;
  return okResult(text, [{ type: "list", items: [] }]);
}

/** A name with brackets, such as `[id].tsx`, can be a pattern or the name of an existing file. */
async function literal({ pattern, path }: GlobArgs, real: string, cwd: string): Promise<string | undefined> {
  if (!pattern.includes("/") && !/[[\]{}()]/.test(pattern)) return undefined;
  const file = absolutePath(pattern, absolutePath(path ?? ".", cwd));
  const base = splitPattern(pattern, path, cwd).base;
  if (dirname(file) !== base && !file.startsWith(`${base}/`)) return undefined;
  const found = await lstat(file).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const leadsTo = await realpath(file).catch(() => undefined);
  return leadsTo !== undefined && isWithin(leadsTo, real) ? file : undefined;
}

/** The files are in path order. */
function list(files: readonly string[], incomplete: boolean, show: (file: string) => string): ToolResult {
  const shown = files.slice(0, MAX_SHOWN).map(show);
  const more = files.length - shown.length;
  const notes: string[] = [];
  if (more > 0) notes.push(`… and ${amount(more, "more file")}: narrow the pattern`);
  if (incomplete) notes.push("[the search was too large and was ended: there may be more]");
  const items = shown.map((text) => ({ text }));
  return okResult([...shown, ...notes].join("\n"), [{ type: "list", items, ...(more > 0 ? { more } : {}) }]);
}
