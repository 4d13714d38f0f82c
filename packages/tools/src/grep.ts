import { join } from "node:path";
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
import { amount } from "@harness/protocol";
import * as z from "zod";
import type { EncodingSettings } from "./encodings/file-encoding.ts";
import { absolutePath, displayPath } from "./files/absolute-path.ts";
import { fileProblem } from "./files/file-problem.ts";
import { findProgram } from "./process/shell.ts";
import type { Match, MatchList, Search } from "./search/match-list.ts";
import { searchBase } from "./search/search-base.ts";
import { walkedFiles } from "./search/walked-files.ts";
import { mayLeaveFolder, wildPatterns } from "./search/wild-pattern.ts";
import { oneLine } from "./text/one-line.ts";

const DEFAULT_LIMIT = 250;
const MAX_LIMIT = 1000;
const MAX_TEXT_CHARS = 50_000;
const SHOWN_SECRETS = 5;

const args = z.strictObject({
  pattern: z.string().describe("Regular expression"),
  path: z.string().optional().describe("Folder or file"),
  glob: z.string().optional().describe("Such files only, as *.ts"),
  limit: z.int().optional().describe("Matches, default 250"),
});
type GrepArgs = z.infer<typeof args>;

export type GrepOptions = EncodingSettings & {
  readonly timeoutMs: number;
  /** The path of ripgrep; absent: searched for in PATH; null: not used. */
  rgPath?: string | null | undefined;
  readonly files?: FileFinder | undefined;
};

export function createGrep(options: GrepOptions) {
  const { files: list = walkedFiles } = options;
  let program: Promise<string | undefined> | undefined;
  const ripgrep = () => {
    if (options.rgPath !== undefined) return Promise.resolve(options.rgPath ?? undefined);
    program ??= findProgram("rg", process.env.PATH ?? "");
    return program;
  };
  return defineTool<GrepArgs>({
    name: "grep",
    description: "Searches lines of files that git does not ignore.",
    details:
      "A match lies within one line; escape literal braces, brackets and parentheses. Files that git ignores are searched if `path` names them.",
    args,
    category: "readOnly",
    subject: "path",
    effects: ({ path }, cwd) => [{ kind: "read", path: absolutePath(path ?? ".", cwd) }],
    title: ({ pattern, path }, cwd) =>
      oneLine(`grep ${pattern}${path === undefined ? "" : ` in ${displayPath(absolutePath(path, cwd), cwd)}`}`),
    async run(call, context, approval) {
      if (context.signal.aborted) return cancelledResult("nothing was searched.");
      const signal = AbortSignal.any([context.signal, AbortSignal.timeout(options.timeoutMs)]);
      try {
        return await runGrep(call, { context, approval, signal, list, settings: options, program: await ripgrep() });
      } catch (error) {
        return errorResult(`The search failed: ${fileProblem(error)}.`);
      }
    },
  });
}

type GrepRun = {
  context: ToolContext;
  approval: ToolApproval;
  signal: AbortSignal;
  list: FileFinder;
  settings: EncodingSettings;
  program: string | undefined;
};

async function runGrep(
  call: GrepArgs,
  { context, approval, signal, list: files, settings, program }: GrepRun,
): Promise<ToolResult> {
  const problem = patternProblem(call.pattern);
  if (problem) return errorResult(problem);
  const glob = call.glob && oneGlob(call.glob);
  const patterns = filePatterns(glob);
  if ("problem" in patterns) return errorResult(patterns.problem);
  const { cwd } = context;
  const folder = absolutePath(call.path ?? ".", cwd);
  const base = await searchBase(folder, { cwd, realPaths: approval.realPaths });
  if ("problem" in base) return errorResult(base.problem);
  const search: Search = {
    pattern: call.pattern,
    base: base.real,
    folder: base.folder,
    glob,
    patterns,
    limit: Math.min(Math.max(1, call.limit ?? DEFAULT_LIMIT), MAX_LIMIT),
    cwd,
    list: files,
    settings,
    ...(approval.hides ? { hides: approval.hides } : {}),
    signal,
  };
  const list = await searchWith(program, search);
  if ("problem" in list) return errorResult(list.problem);
  if (context.signal.aborted) return cancelledResult("the search was not finished.");
  return report(call, list, (file) => displayPath(file === "" ? folder : join(folder, file), cwd), signal.aborted);
}

async function searchWith(program: string | undefined, search: Search): Promise<MatchList | { problem: string }> {
  if (program) {
    const { ripgrepSearch } = await import("./search/ripgrep.ts");
    const list = await ripgrepSearch(program, search);
    if (list) return list;
  }
  const { ownSearch } = await import("./search/own-search.ts");
  return ownSearch(search);
}

function patternProblem(pattern: string): string | undefined {
  if (pattern === "") return "The pattern is empty: give a regular expression.";
  if (/[\n\0]/.test(pattern))
    return "The pattern contains a line break or a NUL character; the search is line by line.";
  return undefined;
}

function filePatterns(glob: string | undefined): string[] | { problem: string } {
  if (glob === undefined) return ["**/*"];
  const not = glob.startsWith("!") ? "!" : "";
  const patterns = wildPatterns(glob.slice(not.length));
  if ("problem" in patterns) return { problem: `glob: ${patterns.problem}.` };
  if (patterns.some((each) => mayLeaveFolder(each) || each.startsWith("~"))) {
    return { problem: "glob is relative to path and cannot leave it." };
  }
  return patterns.map((each) => not + each);
}

/** Models write `*.ts,*.tsx`; the glob is `{*.ts,*.tsx}`. */
function oneGlob(glob: string): string {
  return glob.includes(",") && !glob.includes("{")
    ? `{${glob
        .split(",")
        .map((each) => each.trim())
        .join(",")}}`
    : glob;
}

function report(call: GrepArgs, list: MatchList, show: (file: string) => string, timedOut: boolean): ToolResult {
  const rows: string[] = [];
  let length = 0;
  for (const match of list.matches) {
    const row = matchRow(match, show);
    length += row.length + 1;
    if (length > MAX_TEXT_CHARS) break;
    rows.push(row);
  }
  const more = list.more + list.matches.length - rows.length;
  const place = call.path === undefined ? "" : ` in ${show("")}`;
  const head = rows.length > 0 ? rows : [`No matches for ${call.pattern}${place}.`];
  const text = [...head, ...notesOn(list, more, show, timedOut)].join("\n");
  const items = list.matches
    .slice(0, rows.length)
    .map((match) => ({ text: `${show(match.file)}:${match.line}`, detail: match.text }));
  return okResult(text, [{ type: "list", items, ...(more > 0 ? { more } : {}) }]);
}

function matchRow(match: Match, show: (file: string) => string): string {
  return `${show(match.file)}:${match.line}:${match.text}`;
}

function notesOn(list: MatchList, more: number, show: (file: string) => string, timedOut: boolean): string[] {
  const notes: string[] = [];
  if (more > 0) notes.push(`… and ${list.least ? "at least " : ""}${amount(more, "more match", "more matches")}`);
  if (timedOut) notes.push("[the search took too long and was ended: narrow it with path or glob]");
  if (list.unproven > 0)
    notes.push(
      `[${amount(list.unproven, "match", "matches")} left out: the file was changed or replaced during the search; search again]`,
    );
  if (list.tooLarge > 0) notes.push(`[${amount(list.tooLarge, "file")} over 10 MB not searched]`);
  if (list.secrets.length > 0) {
    const names = list.secrets.slice(0, SHOWN_SECRETS).map(show).join(", ");
    const rest = list.secrets.length > SHOWN_SECRETS ? ` and ${list.secrets.length - SHOWN_SECRETS} more` : "";
    notes.push(`[not searched, as they may hold secrets: ${names}${rest}]`);
  }
  return notes;
}
