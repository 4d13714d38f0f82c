import { isUtf8 } from "node:buffer";
import type { BigIntStats } from "node:fs";
import { lstat, readFile } from "node:fs/promises";
import type { ReviewDraft, ReviewFailure, ReviewFiles } from "@harness/core";
import { errorCode, type LineHunk, lineDiff, splitHunks, wholeLines, withHunks } from "@harness/host";
import type { Block, HunkAnswer, ReviewHunk, StagedFile } from "@harness/protocol";
import type { FileBuffers, OpenBuffer } from "../buffers/file-buffers.ts";
import { sha256 } from "../files/digest.ts";
import { fileProblem } from "../files/file-problem.ts";
import { missingSessionFolder } from "../files/near-names.ts";
import { oneLine } from "../text/one-line.ts";
import { FileWriter } from "../writing/file-writer.ts";
import { type FileEdit, WriteConflictError } from "../writing/prepared-change.ts";

/** One file of a review, with its hunks by the ids that clients answer with. */
type FileDraft = {
  file: StagedFile;
  before: string;
  after: string | undefined;
  hunks: { shown: ReviewHunk; hunk: LineHunk }[];
};

type ReviewFolder = Pick<ReviewFiles, "outlasts"> & { cwd: string; buffers?: FileBuffers };

/**
 * Reviews of changes that are staged in files of the session, which works in `cwd`, for files on this disk. `buffers`:
 * those that clients have open.
 */
export function diskReview({ outlasts, cwd, buffers }: ReviewFolder): ReviewFiles {
  const writer = new FileWriter(buffers);
  const now: Lookup = (path) => currentFile(path, buffers);
  return {
    outlasts,
    draft: (files) => draftOf(files, now),
    async apply(files) {
      for (const { path } of files) {
        const problem = await missingSessionFolder(path, cwd);
        if (problem !== undefined) return { problem, written: [] };
      }
      return await applyAll(writer, files, now);
    },
  };
}

async function draftOf(files: readonly StagedFile[], now: Lookup): Promise<ReviewDraft> {
  const outdated: StagedFile[] = [];
  const drafts: FileDraft[] = [];
  const preview: Block[] = [];
  for (const file of files) {
    const read = await bothTexts(file, now);
    if (!read) {
      outdated.push(file);
      continue;
    }
    const { before, after, isText } = read;
    const change = file.base === null ? "create" : file.content === null ? "delete" : "modify";
    const isWhole = change !== "modify" || !isText;
    const whole: LineHunk = { start: 0, before: wholeLines(before), after: [after ?? ""] };
    const split = isWhole ? [whole] : await splitHunks(before, after ?? "");
    const hunks = split.map((hunk, at) => ({
      hunk,
      shown: {
        hunkId: `${drafts.length + 1}.${at + 1}`,
        path: file.path,
        change,
        line: hunk.start + 1,
        before: hunk.before.join(""),
        after: hunk.after.join(""),
        ...(isWhole ? {} : linesAround(wholeLines(before), hunk)),
        ...(file.agents ? { agents: file.agents } : {}),
      } satisfies ReviewHunk,
    }));
    drafts.push({ file, before, after, hunks });
    preview.push(await lineDiff(file.path, file.base === null ? undefined : before, after));
  }
  return {
    hunks: drafts.flatMap(({ hunks }) => hunks.map(({ shown }) => shown)),
    preview,
    outdated,
    decide: (answers) => drafts.flatMap((draft) => decide(draft, answers)),
  };
}

/** Unchanged lines that show where in the file a change is. */
const CONTEXT = 3;

function linesAround(lines: readonly string[], { start, before }: LineHunk): { above: string; below: string } {
  const end = start + before.length;
  return {
    above: lines.slice(Math.max(0, start - CONTEXT), start).join(""),
    below: lines.slice(end, end + CONTEXT).join(""),
  };
}

function decide({ file, before, after, hunks }: FileDraft, answers: readonly HunkAnswer[]) {
  const taken = hunks.flatMap(({ shown, hunk }) => {
    const answer = answers.find(({ hunkId }) => hunkId === shown.hunkId);
    return answer?.take ? [{ hunk, after: answer.text ?? shown.after }] : [];
  });
  if (taken.length === 0 && hunks.length > 0) return [];
  // A deletion that is accepted together with other lines keeps the file with these lines.
  const isRemoved = after === undefined && taken.every((each) => each.after === "");
  return [{ file, text: isRemoved ? undefined : withHunks(before, taken) }];
}

/** Undefined: the file differs from what the change was made for, or one of the texts cannot be read. */
async function bothTexts({ path, base, content }: StagedFile, now: Lookup) {
  try {
    const disk = await now(path);
    if ((disk ? disk.sha256 : null) !== base) return undefined;
    const after = content === null ? undefined : await readFile(content, "utf8");
    return { before: disk?.bytes.toString("utf8") ?? "", after, isText: !disk || isUtf8(disk.bytes) };
  } catch {
    return undefined;
  }
}

type CurrentFile = { bytes: Buffer; stats: BigIntStats; sha256: string; buffer?: OpenBuffer | undefined };
/** Undefined if there is no such file. */
type Lookup = (path: string) => Promise<CurrentFile | undefined>;

/** The file as the person has it: in the editor, or on disk. */
async function currentFile(path: string, buffers: FileBuffers | undefined): Promise<CurrentFile | undefined> {
  const stats = await statsOf(path);
  if (!stats) return undefined;
  if (!stats.isFile()) throw new WriteConflictError();
  const disk = await readFile(path);
  const look = await buffers?.during(new AbortController().signal)?.look(path, disk);
  const bytes = look?.buffer?.bytes ?? disk;
  return { bytes, stats, sha256: await sha256(bytes), buffer: look?.buffer };
}

async function statsOf(path: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function applyAll(
  writer: FileWriter,
  files: readonly StagedFile[],
  now: Lookup,
): Promise<ReviewFailure | undefined> {
  const changes: FileEdit[] = [];
  const written: StagedFile[] = [];
  let failure: { at: string | undefined; error: unknown } | undefined;
  // All files are checked, even after one that fails, so that the caller learns which are written.
  for (const file of files) {
    try {
      const change = await changeOf(file, now);
      if (change) changes.push(change);
      else written.push(file);
    } catch (error) {
      failure ??= { at: file.path, error };
    }
  }
  if (!failure) {
    const result = await writer.write(changes);
    if (!("error" in result)) return undefined;
    failure = { at: changes[result.failed]?.realPath, error: result.error };
  }
  const { at = "A file", error } = failure;
  const isTaken = error instanceof WriteConflictError;
  const why = isTaken ? "it has changed in the meantime" : oneLine(fileProblem(error));
  return { problem: `${at} could not be written: ${why}.`, written };
}

/** Undefined: an earlier attempt, interrupted by a crash, has already written it. */
async function changeOf({ path, base, content, like }: StagedFile, now: Lookup): Promise<FileEdit | undefined> {
  const disk = await now(path);
  const bytes = content === null ? undefined : await readFile(content);
  const wanted = bytes ? await sha256(bytes) : null;
  if ((disk?.sha256 ?? null) === wanted && !disk?.buffer?.isUnsaved) return undefined;
  if ((disk?.sha256 ?? null) !== base) throw new WriteConflictError();
  const model = disk || like === undefined ? undefined : await statsOf(like);
  return {
    realPath: path,
    ...(bytes ? { bytes } : {}),
    ...(disk ? { before: disk.stats, buffer: disk.buffer } : {}),
    ...(model ? { like: model } : {}),
  };
}
