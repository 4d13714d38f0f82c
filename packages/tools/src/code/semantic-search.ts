import { relative, resolve } from "node:path";
import {
  type CodeSearch,
  cancelledResult,
  defineTool,
  errorResult,
  okResult,
  type ToolApproval,
  type ToolContext,
  type ToolResult,
} from "@harness/core";
import { isWithin } from "@harness/gate";
import { amount, type Block, ChunkKind, type CodeAnswer, type CodeHit, type CodeQuery } from "@harness/protocol";
import * as z from "zod";
import { absolutePath, displayPath } from "../files/absolute-path.ts";
import { oneLine } from "../text/one-line.ts";
import { indexBase } from "./index-base.ts";

const USUAL_RESULTS = 5;
const MAX_RESULTS = 20;
/** Of all results together; those at the end are cut first. */
const MAX_TEXT_CHARS = 12_000;
const MIN_RESULT_CHARS = 400;
const WAIT_MS = 3_000;

const args = z.strictObject({
  query: z.string().describe("What the code does, in plain words"),
  limit: z.int().optional().describe("Results, default 5"),
  path: z.string().optional().describe("Folder, pattern, or collection"),
  language: z.string().optional().describe("Such as python"),
  kind: ChunkKind.optional().describe("Kind of chunk"),
});
type SemanticSearchArgs = z.infer<typeof args>;

/** Asks the index of the folder in plain words. */
export function createSemanticSearch(code: CodeSearch) {
  return defineTool<SemanticSearchArgs>({
    name: "semantic_search",
    description: "Finds code by what it does: functions, classes, sections of documents.",
    details: "Use grep for exact words. Results show parts of files: read the file before you change it.",
    args,
    category: "readOnly",
    subject: "path",
    effects: ({ path }, cwd) => [{ kind: "read", path: basePath(path, cwd) }],
    title: ({ query }) => oneLine(`search the code for ${query.trim() || "nothing"}`),
    async run(call, context, approval) {
      if (context.signal.aborted) return cancelledResult("nothing was searched.");
      const query = call.query.trim();
      if (query === "") return errorResult("There is nothing to search for: say in `query` what the code does.");
      const limit = Math.min(Math.max(1, call.limit ?? USUAL_RESULTS), MAX_RESULTS);
      const scope = await searchScope(call.path, code, { context, approval });
      if ("problem" in scope) return errorResult(scope.problem);
      const { language, kind } = call;
      const answer = await code.search(
        { query, limit, ...scope, ...(language !== undefined && { language }), ...(kind && { kind }) },
        WAIT_MS,
      );
      if (context.signal.aborted) return cancelledResult("the search was not finished.");
      return "problem" in answer
        ? errorResult(`Search error: ${answer.problem}`)
        : report(answer, code.folder, { cwd: context.cwd, approval });
    },
  });
}

/** A folder, a file, a pattern, or the name of a collection. */
async function searchScope(
  path: string | undefined,
  code: CodeSearch,
  reader: { context: ToolContext; approval: ToolApproval },
): Promise<Pick<CodeQuery, "path" | "collection"> | { problem: string }> {
  const { cwd } = reader.context;
  const base = await indexBase(basePath(path, cwd), code, reader);
  const isName = path !== undefined && code.collections.includes(path);
  if ("problem" in base) return isName ? { collection: path } : base;
  if (path === undefined) return {};
  return { path: isPattern(path) ? path : pathInIndex(base.real, code) };
}

/** As results name it: absolute outside the folder. */
function pathInIndex(real: string, { folder }: CodeSearch): string {
  return isWithin(real, folder) ? relative(folder, real) || "." : real;
}

function isPattern(path: string): boolean {
  return /[*?[{]/.test(path);
}

function basePath(path: string | undefined, cwd: string): string {
  return path === undefined || isPattern(path) ? cwd : absolutePath(path, cwd);
}

type Reader = { cwd: string; approval: ToolApproval };

function report({ results, index }: CodeAnswer, folder: string, { cwd, approval }: Reader): ToolResult {
  const shown = results.filter(({ path }) => !approval.hides?.(resolve(folder, path)));
  const state = index.fresh
    ? `The index has ${amount(index.files, "file")} and is up to date.`
    : `The index has ${amount(index.files, "file")}; some have changed since, and are being indexed.`;
  if (shown.length === 0) return okResult(`No results found. ${state}`, [{ type: "list", items: [] }]);
  const name = ({ collection, path, startLine, endLine }: CodeHit) =>
    `${collection === undefined ? "" : `${collection}: `}${displayPath(resolve(folder, path), cwd)}:${startLine}-${endLine}`;
  const each = Math.max(MIN_RESULT_CHARS, Math.floor(MAX_TEXT_CHARS / shown.length));
  const parts = shown.map((hit) => resultText(hit, name(hit), each));
  const blocks: Block[] = [
    { type: "list", items: shown.map((hit) => ({ text: `${name(hit)}  ${hit.why.join(" · ")}` })) },
  ];
  return okResult([...parts, state].join("\n\n"), blocks);
}

function resultText({ score, why, signatures, text, language }: CodeHit, name: string, maxChars: number): string {
  const within = signatures.length > 1 ? `\n${signatures.slice(0, -1).map(oneLineOf).join(" > ")}` : "";
  const cut = text.length > maxChars ? `${text.slice(0, maxChars).toWellFormed()}\n…` : text;
  // A fence longer than any in the text, as CommonMark asks for.
  const fence = "`".repeat(Math.max(3, ...[...cut.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  return `## ${name} (${score.toFixed(2)}; ${why.join("; ")})${within}\n${fence}${language}\n${cut}\n${fence}`;
}

const oneLineOf = (text: string) => oneLine(text);
