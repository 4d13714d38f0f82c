import {
  cancelledResult,
  defineTool,
  errorResult,
  okResult,
  type ToolApproval,
  type ToolContext,
  type ToolResult,
} from "@harness/core";
import type { FileBuffers } from "./buffers/file-buffers.ts";
import { type EditCall, type EditStep, editArgs, editSteps } from "./edit/edit-call.ts";
import { type EditPlan, planEdits } from "./edit/plan-edits.ts";
import { shownProblem } from "./edit/shown-problem.ts";
import type { EncodingSettings } from "./encodings/file-encoding.ts";
import { absolutePath, displayPath } from "./files/absolute-path.ts";
import { pathOptions } from "./files/judged-path.ts";
import { missingSessionFolder } from "./files/near-names.ts";
import { previewBlocks } from "./files/preview-blocks.ts";
import { STAGED, stageAll } from "./files/stage-changes.ts";
import { watchFiles } from "./review/files-since.ts";
import { oneLine } from "./text/one-line.ts";
import { editorNotes } from "./writing/editor-notes.ts";
import type { FileWriter } from "./writing/file-writer.ts";
import { unwrittenText } from "./writing/unwritten-text.ts";

type EditedFiles = { settings: EncodingSettings; buffers: FileBuffers | undefined };

/**
 * Changes existing files: one replacement or many, in one file or several, all or none. Numbered lines and patches are
 * accepted in the same call, for models that know them from elsewhere.
 */
export function createEdit(writer: FileWriter, settings: EncodingSettings = {}, buffers?: FileBuffers) {
  const files: EditedFiles = { settings, buffers };
  return defineTool<EditCall>({
    name: "edit",
    description: "Replaces text that occurs once in a file that you have read.",
    details:
      "`old_string` is the exact text, indentation included, without line numbers. If it occurs more than once, add lines around it, or set `replace_all`. Put several changes into `edits`: all of them are made, or none.",
    args: editArgs,
    rareArgs: ["edits"],
    category: "destructive",
    usesStaged: true,
    subject: "path",
    effects: (call, cwd) => pathsOf(call, cwd).map((path) => ({ kind: "write", path })),
    title: (call, cwd) => title(pathsOf(call, cwd), cwd),
    watch: watchFiles,
    async preview(call, context, approval) {
      const plan = await planOf(call, files, context, approval);
      if ("problem" in plan) return { ...plan, shown: shownProblem(plan.problem) };
      return previewBlocks(plan.blocks);
    },
    async run(call, context, approval) {
      const what = oneLine(
        pathsOf(call, context.cwd)
          .map((path) => displayPath(path, context.cwd))
          .join(", "),
      );
      if (context.signal.aborted) return cancelledResult(`${what} was not edited.`);
      const plan = await planOf(call, files, context, approval);
      if ("problem" in plan) return errorResult(plan.problem, shownProblem(plan.problem));
      if (context.signal.aborted) return cancelledResult(`${what} was not edited.`);
      return carryOut(plan, context, writer);
    },
  });
}

function pathsOf(call: EditCall, cwd: string): string[] {
  const steps = editSteps(call);
  if ("problem" in steps) return [];
  return [...new Set(steps.flatMap(pathsOfStep).map((path) => absolutePath(path, cwd)))];
}

function pathsOfStep(step: EditStep): string[] {
  return step.kind === "hunks" && step.movedTo !== undefined ? [step.path, step.movedTo] : [step.path];
}

function title([first, ...more]: readonly string[], cwd: string): string {
  if (first === undefined) return "edit";
  const others = more.length === 1 ? " and 1 more file" : more.length > 1 ? ` and ${more.length} more files` : "";
  return oneLine(`edit ${oneLine(displayPath(first, cwd), 160)}${others}`);
}

async function planOf(
  call: EditCall,
  { settings, buffers }: EditedFiles,
  context: ToolContext,
  { realPaths }: Pick<ToolApproval, "realPaths">,
): Promise<EditPlan | { problem: string }> {
  const steps = editSteps(call);
  if ("problem" in steps) return steps;
  for (const path of pathsOf(call, context.cwd)) {
    const gone = await missingSessionFolder(path, context.cwd);
    if (gone !== undefined) return { problem: gone };
  }
  return planEdits(steps, { context, paths: pathOptions(context, realPaths, buffers), settings });
}

async function carryOut(
  { changes, blocks, said }: EditPlan,
  context: ToolContext,
  writer: FileWriter,
): Promise<ToolResult> {
  if (context.staged) {
    await stageAll(changes, context.staged, context.files);
    return okResult([...said, STAGED].join("\n"), blocks);
  }
  const written = await writer.write(changes, context.signal);
  if ("error" in written) {
    return errorResult(
      unwrittenText(
        written,
        changes.map(({ shown }) => shown),
      ),
    );
  }
  for (const [at, { realPath, lines }] of changes.entries()) {
    const stamp = written.stamps[at];
    context.files.record(realPath, stamp && { ...stamp, ...(lines ? { lines } : {}) }, "changed");
  }
  return okResult([...said, ...(await editorNotes(changes, written))].join("\n"), blocks);
}
