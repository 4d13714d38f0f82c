import type { ToolContext } from "@harness/core";
import { lineDiff, OPENABLE_CONTEXT } from "@harness/host";
import type { Block } from "@harness/protocol";
import { amount } from "@harness/protocol";
import { encodedContent } from "../encodings/encoded-content.ts";
import {
  ENCODING_ADVICE,
  type EncodingSettings,
  type FileEncoding,
  fileEncoding,
  newFileEncoding,
} from "../encodings/file-encoding.ts";
import { absolutePath, displayPath } from "../files/absolute-path.ts";
import type { PathOptions } from "../files/judged-path.ts";
import { linesText, seenAfter, unseenLine } from "../files/seen-lines.ts";
import { blindChange, type ExistingFile, existingFile, targetFile } from "../files/target-file.ts";
import type { FileEdit } from "../writing/prepared-change.ts";
import { applyEdits, type EditableStep } from "./apply-edits.ts";
import type { EditStep } from "./edit-call.ts";

const SHOWN_PLACES = 10;
const MAX_DIFF_LINES = 2000;
const BOM = "\uFEFF";

/** The changes to the files, their display for people, and a sentence about each for the model. */
export type EditPlan = { changes: PlannedChange[]; blocks: Block[]; said: string[] };
/** `lines`: the lines that count as read afterwards, if only an extract was read; absent: all. */
type PlannedChange = FileEdit & { shown: string; base: string | null; likePath?: string; lines?: [number, number][] };

type EditTarget = { context: ToolContext; paths: PathOptions; settings: EncodingSettings };
/** All edits of one call to one file. */
type FilePlan = Omit<EditPlan, "said"> & { said: string };
type Problem = { problem: string };

/** Computes the result of all steps without changing anything; the first step that cannot be applied is the problem. */
export async function planEdits(steps: readonly EditStep[], target: EditTarget): Promise<EditPlan | Problem> {
  const plan: EditPlan = { changes: [], blocks: [], said: [] };
  const { cwd } = target.context;
  const byPath = Map.groupBy(steps, ({ path }) => absolutePath(path, cwd));
  const maxLines = Math.ceil(MAX_DIFF_LINES / byPath.size);
  for (const [path, own] of byPath) {
    const file = await planFile(path, own, maxLines, target);
    const nothing = byPath.size > 1 ? " Nothing was changed in any file." : "";
    if ("problem" in file) return { problem: file.problem + nothing };
    for (const { realPath, shown } of file.changes) {
      const isTwice = plan.changes.some((other) => other.realPath === realPath);
      if (isTwice) return { problem: `${shown} is changed twice under different names: name it once.${nothing}` };
    }
    plan.changes.push(...file.changes);
    plan.blocks.push(...file.blocks);
    plan.said.push(file.said);
  }
  return plan;
}

function planFile(
  path: string,
  steps: readonly EditStep[],
  maxLines: number,
  target: EditTarget,
): Promise<FilePlan | Problem> {
  const [first] = steps;
  const shown = displayPath(path, target.context.cwd);
  const whole = steps.find(({ kind }) => kind === "create" || kind === "delete");
  if (whole && steps.length > 1) {
    return Promise.resolve({
      problem: `${shown} is created or deleted and also changed in one call: do only one of them.`,
    });
  }
  if (first?.kind === "create") return planCreation(path, first.content, maxLines, target);
  if (first?.kind === "delete") return planDeletion(path, maxLines, target);
  return planChange(path, steps as readonly EditableStep[], maxLines, target);
}

async function planCreation(path: string, content: string, maxLines: number, { context, paths }: EditTarget) {
  const shown = displayPath(path, context.cwd);
  const file = await targetFile(path, paths);
  if ("problem" in file) return file;
  if (file.bytes) return { problem: `${shown} exists already: change it, or replace it with write.` };
  const codec = newFileEncoding(file.realPath);
  const marked = content.startsWith(BOM) ? content : codec.mark + content;
  const bytes = encodedContent(marked, { shown, codec }, context);
  if ("problem" in bytes) return bytes;
  const diff = await lineDiff(path, undefined, content, { maxLines });
  const change = { realPath: file.realPath, bytes, base: null, shown };
  return { changes: [change], blocks: [diff], said: `Created ${shown} (+${diff.added}).` };
}

async function planDeletion(path: string, maxLines: number, target: EditTarget): Promise<FilePlan | Problem> {
  const read = await readForChange(path, target);
  if ("problem" in read) return read;
  const { file, shown, before } = read;
  const diff = await lineDiff(path, before, undefined, { maxLines });
  const change = { ...onDisk(file), shown };
  return { changes: [change], blocks: [diff], said: `Deleted ${shown} (-${diff.removed}).` };
}

async function planChange(
  path: string,
  steps: readonly EditableStep[],
  maxLines: number,
  target: EditTarget,
): Promise<FilePlan | Problem> {
  const moves = steps.flatMap((step) => (step.kind === "hunks" && step.movedTo !== undefined ? [step.movedTo] : []));
  const read = await readForChange(path, target);
  if ("problem" in read) return read;
  const { context } = target;
  const { file, shown, before } = read;
  const body = before.startsWith(BOM) ? before.slice(1) : before;
  const result = applyEdits(body, steps, shown);
  if ("problem" in result) return result;
  const text = before.slice(0, before.length - body.length) + result.text;
  const seen = context.files.seen(file.realPath)?.lines;
  // Not the diff for people, which may be cut.
  const hunks = seen ? (await lineDiff(path, before, text, { maxLines: Number.MAX_SAFE_INTEGER })).hunks : "";
  const unseen = seen && unseenLine(hunks, seen);
  if (seen && unseen !== undefined) {
    const which = `Line ${unseen} of ${shown} would change, but you have only read lines ${linesText(seen)}`;
    return { problem: `${which}: read it with offset=${unseen} first.` };
  }
  const bytes = encodedContent(text, read, context);
  if ("problem" in bytes) return bytes;
  const [movedTo] = moves;
  if (movedTo !== undefined) {
    if (moves.length > 1) return { problem: `${shown} is moved to two places.` };
    return planMove({ ...read, path, text, bytes, movedTo }, maxLines, target);
  }
  if (text === before) return { problem: "old_string and new_string differ only in line ends: nothing would change." };
  const diff = await lineDiff(path, before, text, { maxLines, context: OPENABLE_CONTEXT });
  const { lines: at } = result;
  const places = at.slice(0, SHOWN_PLACES).join(", ") + (at.length > SHOWN_PLACES ? " …" : "");
  const what = amount(at.length, steps.every(({ kind }) => kind === "text") ? "replacement" : "change");
  const sentence = `Edited ${shown}: ${what} at line ${places} (+${diff.added} -${diff.removed}).`;
  const lines = seen ? { lines: seenAfter(hunks, seen) } : {};
  const change = { ...onDisk(file), bytes, shown, ...lines };
  return { changes: [change], blocks: [diff], said: withNote(sentence, file) };
}

/** The file that a change is made to. */
function onDisk({ realPath, stats, stamp, buffer }: ExistingFile) {
  return { realPath, before: stats, base: stamp.sha256, buffer };
}

function withNote(sentence: string, { note }: ExistingFile): string {
  return note === undefined ? sentence : `${sentence}\n${note}`;
}

type Move = {
  file: ExistingFile;
  shown: string;
  before: string;
  path: string;
  text: string;
  bytes: Buffer;
  movedTo: string;
};

async function planMove(move: Move, maxLines: number, place: EditTarget): Promise<FilePlan | Problem> {
  const { context, paths } = place;
  const { file, shown, before, text } = move;
  const path = absolutePath(move.movedTo, context.cwd);
  const shownTarget = displayPath(path, context.cwd);
  const target = await targetFile(path, paths);
  if ("problem" in target) return target;
  if (target.bytes) return { problem: `${shown} cannot be moved to ${shownTarget}, which exists already.` };
  const sentence = `Moved ${shown} to ${shownTarget}`;
  const diff =
    text === before ? undefined : await lineDiff(path, before, text, { maxLines, context: OPENABLE_CONTEXT });
  return {
    changes: [
      {
        realPath: target.realPath,
        bytes: move.bytes,
        like: file.stats,
        likePath: file.realPath,
        base: null,
        shown: shownTarget,
      },
      { ...onDisk(file), shown },
    ],
    blocks: [{ type: "text", text: `${sentence}.` }, ...(diff ? [diff] : [])],
    said: diff ? `${sentence} (+${diff.added} -${diff.removed}).` : `${sentence}.`,
  };
}

/**
 * The text of a file that may be changed: it was read in this session, has not changed since, and has a known encoding.
 */
async function readForChange(
  path: string,
  { context, paths, settings }: EditTarget,
): Promise<{ file: ExistingFile; shown: string; before: string; codec: FileEncoding } | Problem> {
  const shown = displayPath(path, context.cwd);
  const file = await existingFile(path, paths);
  if ("problem" in file) return file;
  const blind = blindChange(file, context.files, shown);
  if (blind) return { problem: blind };
  const codec = fileEncoding(file, settings);
  if (!codec) return { problem: `${shown} is not UTF-8 text, so it cannot be edited: ${ENCODING_ADVICE}.` };
  const same = codec.encode(codec.text);
  if (!("character" in same) && same.equals(file.bytes)) return { file, shown, before: codec.text, codec };
  const why = `some of its bytes would not be written back as ${codec.name} as they were`;
  return { problem: `${shown} cannot be edited, as ${why}: change it with a program, in bash.` };
}
