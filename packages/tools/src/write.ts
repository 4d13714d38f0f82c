import { cancelledResult, defineTool, errorResult, okResult, type ToolContext, type ToolResult } from "@harness/core";
import { lineDiff, OPENABLE_CONTEXT } from "@harness/host";
import type { Block } from "@harness/protocol";
import { byteSize } from "@harness/protocol";
import * as z from "zod";
import type { FileBuffers } from "./buffers/file-buffers.ts";
import { encodedContent } from "./encodings/encoded-content.ts";
import {
  ENCODING_ADVICE,
  type EncodingSettings,
  type FileEncoding,
  fileEncoding,
  newFileEncoding,
  withMark,
} from "./encodings/file-encoding.ts";
import { absolutePath, displayPath } from "./files/absolute-path.ts";
import { contentKind } from "./files/content-kind.ts";
import { type PathOptions, pathOptions } from "./files/judged-path.ts";
import { missingSessionFolder } from "./files/near-names.ts";
import { previewBlocks } from "./files/preview-blocks.ts";
import { STAGED, stageAll } from "./files/stage-changes.ts";
import { blindReplacement, type ExistingFile, type NewFile, targetFile } from "./files/target-file.ts";
import { watchFiles } from "./review/files-since.ts";
import { oneLine } from "./text/one-line.ts";
import { editorNotes } from "./writing/editor-notes.ts";
import type { FileWriter } from "./writing/file-writer.ts";
import { unwrittenText } from "./writing/unwritten-text.ts";

const HEAD_BYTES = 64 * 1024;

const args = z.strictObject({
  file_path: z.string().min(1),
  content: z.string(),
});
type WriteArgs = z.infer<typeof args>;

export function createWrite(writer: FileWriter, settings: EncodingSettings = {}, buffers?: FileBuffers) {
  return defineTool<WriteArgs>({
    name: "write",
    description: "Makes a file with its folders, or replaces one that you have read.",
    details: "To change part of a file, use edit.",
    args,
    category: "destructive",
    usesStaged: true,
    subject: "path",
    effects: ({ file_path }, cwd) => [{ kind: "write", path: absolutePath(file_path, cwd) }],
    title: ({ file_path }, cwd) => oneLine(`write ${displayPath(absolutePath(file_path, cwd), cwd)}`),
    watch: watchFiles,
    async preview(call, context, approval) {
      const plan = await planWrite(call, settings, context, pathOptions(context, approval.realPaths, buffers));
      if ("problem" in plan) return plan;
      if (plan.blocks.length > 0) return previewBlocks(plan.blocks);
      return [{ type: "text", text: `${plan.shown} already has exactly this content: nothing would be written.` }];
    },
    async run(call, context, approval) {
      if (context.signal.aborted) return cancelledResult(`${call.file_path} was not written.`);
      const plan = await planWrite(call, settings, context, pathOptions(context, approval.realPaths, buffers));
      if ("problem" in plan) return errorResult(plan.problem);
      if (context.signal.aborted) return cancelledResult(`${plan.shown} was not written.`);
      return carryOut(plan, context, writer);
    },
  });
}

type WritePlan = { shown: string; file: ExistingFile | NewFile; bytes: Buffer; notes: string[]; blocks: Block[] };

async function planWrite(
  call: WriteArgs,
  settings: EncodingSettings,
  context: ToolContext,
  paths: PathOptions,
): Promise<WritePlan | { problem: string }> {
  const path = absolutePath(call.file_path, context.cwd);
  const shown = displayPath(path, context.cwd);
  const gone = await missingSessionFolder(path, context.cwd);
  if (gone !== undefined) return { problem: gone };
  const file = await targetFile(path, paths);
  if ("problem" in file) return file;
  const notes = call.content.isWellFormed() ? [] : ["[half characters (lone surrogates) were written as \uFFFD]"];
  if (file.bytes === undefined) return planNew(call.content, { path, shown, file, notes }, context);
  const bytes = Buffer.from(call.content);
  if (isThere(file, bytes)) return { shown, file, bytes, notes, blocks: [] };
  // An empty file has nothing that could be lost unseen.
  const blind = file.bytes.length > 0 ? blindReplacement(file, context.files, shown) : undefined;
  if (blind) return { problem: blind };
  const codec = fileEncoding(file, settings);
  const encoded = codec
    ? encodedContent(withMark(call.content, codec), { shown, codec }, context)
    : unencodedBytes(file.bytes, bytes, shown);
  if ("problem" in encoded) return encoded;
  const before = codec?.text ?? file.bytes.toString();
  return {
    shown,
    file,
    bytes: encoded,
    notes: [...notes, ...changeNotes(call.content, before, codec), ...(file.note === undefined ? [] : [file.note])],
    blocks: [await lineDiff(path, before, call.content, { context: OPENABLE_CONTEXT })],
  };
}

/** A text that is only in the editor is not in the file yet. */
function isThere(file: ExistingFile, bytes: Buffer): boolean {
  return file.bytes.equals(bytes) && !file.buffer?.isUnsaved;
}

type NewFileTarget = Pick<WritePlan, "shown" | "notes"> & { path: string; file: NewFile };

async function planNew(
  content: string,
  { path, shown, file, notes }: NewFileTarget,
  context: ToolContext,
): Promise<WritePlan | { problem: string }> {
  const codec = newFileEncoding(file.realPath);
  const marked = content.startsWith("\uFEFF") ? content : codec.mark + content;
  const bytes = encodedContent(marked, { shown, codec }, context);
  if ("problem" in bytes) return bytes;
  const isOwn = !bytes.equals(Buffer.from(content));
  const what = codec.name === "utf-8" ? "utf-8 with a byte order mark" : codec.name;
  if (isOwn && content.isWellFormed()) notes.push(`[written as ${what}, as .editorconfig says]`);
  return { shown, file, bytes, notes, blocks: [await lineDiff(path, undefined, content)] };
}

function changeNotes(content: string, before: string, codec: FileEncoding | undefined): string[] {
  const notes: string[] = [];
  const isWide = codec?.name.startsWith("utf-16") ?? false;
  if (isWide) notes.push("[written as UTF-16, as it was]");
  else if (codec && codec.name !== "utf-8") notes.push(`[written as ${codec.name}, as it was]`);
  if (before.includes("\r\n") && !content.includes("\r\n")) notes.push("[line ends changed from CRLF to LF]");
  if (!isWide && before.startsWith("\uFEFF") && !content.startsWith("\uFEFF")) notes.push("[byte order mark removed]");
  return notes;
}

/** Text in an unknown encoding would become UTF-8. Plain ASCII is the same in all encodings. */
function unencodedBytes(before: Buffer, bytes: Buffer, shown: string): Buffer | { problem: string } {
  const isPlain = bytes.every((byte) => byte < 0x80);
  if (isPlain || contentKind(before.subarray(0, HEAD_BYTES)).kind !== "text") return bytes;
  const what = `${shown} is not UTF-8 text, and writing this would make it so`;
  return { problem: `${what}: ${ENCODING_ADVICE}, or remove it if UTF-8 is meant.` };
}

async function carryOut(plan: WritePlan, context: ToolContext, writer: FileWriter): Promise<ToolResult> {
  const { file, shown, bytes, blocks } = plan;
  if (file.bytes && isThere(file, bytes)) {
    context.files.record(file.realPath, file.stamp);
    const text = `${shown} already has exactly this content; nothing was written.`;
    return okResult(text, [{ type: "text", text }]);
  }
  const { realPath } = file;
  if (context.staged) {
    await stageAll([{ realPath, bytes, base: file.stamp?.sha256 ?? null }], context.staged, context.files);
    const text = `${file.bytes ? "Wrote" : "Created"} ${shown} (${byteSize(bytes.length)}).`;
    return okResult([text, ...plan.notes, STAGED].join("\n"), blocks);
  }
  const change = { realPath, bytes, shown, ...(file.bytes ? { before: file.stats, buffer: file.buffer } : {}) };
  const written = await writer.write([change], context.signal);
  if ("error" in written) return errorResult(unwrittenText(written, [shown]));
  if (written.stamps[0]) context.files.record(realPath, written.stamps[0], "changed");
  const was = file.bytes ? `, was ${byteSize(file.bytes.length)}` : "";
  const text = `${file.bytes ? "Wrote" : "Created"} ${shown} (${byteSize(bytes.length)}${was}).`;
  return okResult([text, ...plan.notes, ...(await editorNotes([change], written))].join("\n"), blocks);
}
