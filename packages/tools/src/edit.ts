import { defineTool, type ToolApproval, type ToolContext, type ToolResult } from "@harness/core";
import type { DiffBlock } from "@harness/protocol";
import * as z from "zod";
import { absolutePath, shownPath } from "./files/absolute-path.ts";
import { atomicWrite, ChangedMeanwhile } from "./files/atomic-write.ts";
import { fileProblem } from "./files/file-problem.ts";
import { blindChange, type ExistingFile, existingFile } from "./files/target-file.ts";
import { amount } from "./text/amount.ts";
import { closestMatch } from "./text/closest-match.ts";
import { replaceExactly } from "./text/exact-replacement.ts";
import { lineDiff } from "./text/line-diff.ts";
import { oneLine } from "./text/one-line.ts";
import { cancelled, done, failed } from "./tool-result.ts";

const SHOWN_PLACES = 10;
const BOM = "\uFEFF";

const args = z.strictObject({
  file_path: z.string().describe("File"),
  old_string: z.string().describe("Exact text to replace"),
  new_string: z.string().describe("New text"),
  replace_all: z.boolean().optional().describe("Replace every occurrence"),
});
type EditArgs = z.infer<typeof args>;

export const edit = defineTool<EditArgs>({
  name: "edit",
  description: "Replaces text that occurs once in a file that you have read.",
  args,
  category: "destructive",
  effects: ({ file_path }, cwd) => [{ kind: "write", path: absolutePath(file_path, cwd) }],
  title: ({ file_path }, cwd) => oneLine(`edit ${shownPath(absolutePath(file_path, cwd), cwd)}`),
  async preview(call, context, approval) {
    const plan = await planEdit(call, context, approval);
    return "problem" in plan ? plan : [plan.diff];
  },
  async run(call, context, approval) {
    if (context.signal.aborted) return cancelled(`${call.file_path} was not edited.`);
    const plan = await planEdit(call, context, approval);
    if ("problem" in plan) return failed(plan.problem);
    if (context.signal.aborted) return cancelled(`${plan.shown} was not edited.`);
    return carryOut(plan, context);
  },
});

type EditPlan = { shown: string; file: ExistingFile; text: string; lines: number[]; diff: DiffBlock };

async function planEdit(
  call: EditArgs,
  context: ToolContext,
  { realPaths }: Pick<ToolApproval, "realPaths">,
): Promise<EditPlan | { problem: string }> {
  const path = absolutePath(call.file_path, context.cwd);
  const shown = shownPath(path, context.cwd);
  if (call.old_string === "") {
    return { problem: "old_string is empty: give the text to replace, or use write for a whole file." };
  }
  if (call.old_string === call.new_string) {
    return { problem: "old_string and new_string are the same: nothing would change." };
  }
  const file = await existingFile(path, { cwd: context.cwd, realPaths });
  if ("problem" in file) return file;
  const blind = blindChange(file, context.files, shown);
  if (blind) return { problem: blind };
  const before = decoded(file.bytes);
  if (before === undefined) {
    return { problem: `${shown} is not UTF-8 text, so it cannot be edited: convert it first, e.g. with iconv.` };
  }
  const body = before.startsWith(BOM) ? before.slice(1) : before;
  const old = call.old_string.startsWith(BOM) ? call.old_string.slice(1) : call.old_string;
  const result = replaceExactly(body, old, call.new_string, call.replace_all ?? false);
  if (result.outcome === "missing") {
    return { problem: `old_string is not in ${shown}. ${closestMatch(body, old)}` };
  }
  if (result.outcome === "tooMuch") return { problem: `Too much would change in ${shown} at once: use bash with sed.` };
  if (result.outcome === "ambiguous") return { problem: ambiguous(shown, result) };
  const text = before.slice(0, before.length - body.length) + result.text;
  if (text === before) return { problem: "old_string and new_string differ only in line ends: nothing would change." };
  return { shown, file, text, lines: result.lines, diff: await lineDiff(path, before, text) };
}

function decoded(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function ambiguous(shown: string, { lines, count }: { lines: number[]; count: number }): string {
  const places = lines.slice(0, SHOWN_PLACES).join(", ") + (count > SHOWN_PLACES ? " …" : "");
  const what = `old_string occurs ${count} times in ${shown} (lines ${places}).`;
  return `${what} Add lines around it until it is unique, or set replace_all to change all of them.`;
}

async function carryOut(plan: EditPlan, context: ToolContext): Promise<ToolResult> {
  const { file, shown, lines, diff } = plan;
  try {
    const stamp = await atomicWrite(file.realPath, Buffer.from(plan.text), file.stats);
    context.files.record(file.realPath, stamp);
  } catch (error) {
    if (error instanceof ChangedMeanwhile)
      return failed(`${shown} was changed by another program just now; read it again.`);
    return failed(`Cannot write ${shown}: ${fileProblem(error)}. Nothing was changed.`);
  }
  const places = lines.slice(0, SHOWN_PLACES).join(", ") + (lines.length > SHOWN_PLACES ? " …" : "");
  const where = `${amount(lines.length, "replacement")} at line ${places}`;
  return done(`Edited ${shown}: ${where} (+${diff.added} -${diff.removed}).`, [diff]);
}
