import { cancelledResult, defineTool, errorResult, okResult, type ToolContext, type ToolResult } from "@harness/core";
import { amount, byteSize } from "@harness/protocol";
import * as z from "zod";
import type { FileBuffers } from "./buffers/file-buffers.ts";
import { contentOfFile, type TextContent } from "./encodings/file-content.ts";
import { ENCODING_ADVICE, type EncodingSettings, type FileEncoding } from "./encodings/file-encoding.ts";
import { showExtract } from "./extract/show-extract.ts";
import { absolutePath, displayPath } from "./files/absolute-path.ts";
import { sha256 } from "./files/digest.ts";
import { fileProblem } from "./files/file-problem.ts";
import { pathOptions } from "./files/judged-path.ts";
import { type OpenFile, openFile, writtenAt } from "./files/open-file.ts";
import { readText } from "./files/read-text.ts";
import { mergeRanges } from "./files/seen-lines.ts";
import { imageInfo } from "./images/image-info.ts";
import { shownImage } from "./images/shown-image.ts";
import { createNumberedPage, type NumberedLines } from "./text/numbered-page.ts";
import { oneLine } from "./text/one-line.ts";

const MAX_LINES = 2000;
const MAX_LINE_CHARS = 2000;
const MAX_PAGE_CHARS = 50_000;
const MAX_IMAGE_BYTES = 50 * 1024 * 1024;

const UNSAVED =
  "[The person has changed it in their editor and not saved: this is what the editor has. Searches and commands see the file on disk.]";

const args = z.strictObject({
  file_path: z.string().min(1),
  offset: z.int().optional().describe("First line, from 1"),
  limit: z.int().optional().describe("Lines, default 2000"),
});
type ReadArgs = z.infer<typeof args>;

/** Reads files in their own encoding. */
export function createRead(settings: EncodingSettings = {}, buffers?: FileBuffers) {
  return defineTool<ReadArgs>({
    name: "read",
    description: "Reads a text file with line numbers, or an image.",
    details: "Shows at most 2000 lines; go on with `offset`. Line numbers are not part of the file.",
    args,
    category: "readOnly",
    usesStaged: true,
    subject: "path",
    effects: ({ file_path }, cwd) => [{ kind: "read", path: absolutePath(file_path, cwd) }],
    title: ({ file_path, offset, limit }, cwd) =>
      oneLine(`read ${displayPath(absolutePath(file_path, cwd), cwd)}${range(offset, limit)}`),
    async run(call, context, { realPaths }) {
      const path = absolutePath(call.file_path, context.cwd);
      const shown = displayPath(path, context.cwd);
      if (context.signal.aborted) return cancelledResult(`${shown} was not read.`);
      const file = await openFile(path, pathOptions(context, realPaths, buffers));
      if ("problem" in file) return errorResult(file.problem);
      try {
        const content = await contentOfFile(file, settings);
        if (content.kind === "binary") return errorResult(binaryText(shown, content.what, file));
        if (content.kind === "image") return await showImage(path, shown, file, context);
        const isWhole = call.offset === undefined && call.limit === undefined;
        const limits = { encoding: content.encoding, maxChars: MAX_PAGE_CHARS, rowOf };
        const extract = isWhole ? await showExtract(file, shown, context, limits) : undefined;
        if (extract) return { ...extract, text: [extract.text, ...bufferNotes(file)].join("\n") };
        return await showText({ shown, file, content }, call, context);
      } catch (error) {
        if (context.signal.aborted) return cancelledResult(`${shown} was not read to the end.`);
        return errorResult(`Cannot read ${shown}: ${fileProblem(error)}.`);
      } finally {
        await file.handle.close();
      }
    },
  });
}

function pageLines(limit = MAX_LINES): number {
  return Math.min(Math.max(1, limit), MAX_LINES);
}

function range(offset: number | undefined, limit: number | undefined): string {
  if (offset === undefined && limit === undefined) return "";
  const first = Math.max(1, offset ?? 1);
  return limit === undefined ? ` from line ${first}` : ` lines ${first}-${first + pageLines(limit) - 1}`;
}

function binaryText(shown: string, what: string, file: OpenFile): string {
  const about = `${shown} is not text (${what}, ${byteSize(file.sizeBytes)}), so it was not shown.`;
  return `${about} Look into it with bash: file, xxd, strings, or a program for its format.`;
}

async function showImage(path: string, shown: string, file: OpenFile, context: ToolContext): Promise<ToolResult> {
  const { sizeBytes } = file;
  if (sizeBytes > MAX_IMAGE_BYTES) {
    return errorResult(
      `${shown} is an image of ${byteSize(sizeBytes)}: only images up to 50 MB can be shown. Make it smaller.`,
    );
  }
  const bytes = await file.handle.readFile();
  const info = imageInfo(bytes);
  if (!info) return errorResult(`${shown} changed while it was being read; try again.`);
  const result = await shownImage({ bytes, info, path, shown }, context.signal);
  if ("problem" in result) {
    return context.signal.aborted ? cancelledResult(`${shown} was not shown.`) : errorResult(result.problem);
  }
  const stamp = { sizeBytes: bytes.length, sha256: await sha256(bytes), ...writtenAt(file) };
  context.files.record(file.realPath, stamp);
  return result;
}

type TextSource = { shown: string; file: OpenFile; content: TextContent };

async function showText(source: TextSource, call: ReadArgs, context: ToolContext): Promise<ToolResult> {
  const { file, shown, content } = source;
  const page = createNumberedPage({
    offset: Math.max(1, call.offset ?? 1),
    limit: pageLines(call.limit),
    maxLineChars: MAX_LINE_CHARS,
    maxChars: MAX_PAGE_CHARS,
  });
  const { stamp, whole } = await readText(file, content.encoding, context.signal, (text) => {
    page.push(text);
    return page.complete;
  });
  const shownPage = page.end();
  if (stamp) {
    const lines = seenWith(context, file, stamp.sha256, shownPage);
    context.files.record(file.realPath, { ...stamp, ...writtenAt(file), ...(lines ? { lines } : {}) });
  }
  if (shownPage.totalLines === 0)
    return okResult([`${shown} exists and is empty.`, ...bufferNotes(file)].join("\n"), [
      { type: "text", text: "empty file" },
    ]);
  if (shownPage.last < shownPage.first) {
    const total = amount(shownPage.totalLines, "line");
    return errorResult(`${shown} has ${total}; line ${shownPage.first} is past its end.`);
  }
  const notes = [...pageNotes(shownPage, whole, file), ...encodingNotes(content, shownPage), ...bufferNotes(file)];
  const lines = `lines ${shownPage.first}-${shownPage.last}${whole ? ` of ${shownPage.totalLines}` : ""}`;
  return okResult([shownPage.text.replace(/\n$/, ""), ...notes].join("\n"), [{ type: "text", text: lines }]);
}

function bufferNotes({ buffer, note }: OpenFile): string[] {
  return buffer?.isUnsaved ? [UNSAVED] : note === undefined ? [] : [note];
}

/** The lines that count as read, if only an extract was read before; undefined: all. */
function seenWith(
  { files }: ToolContext,
  { realPath }: OpenFile,
  sha256: string,
  { first, last, totalLines }: NumberedLines,
) {
  const before = files.seen(realPath);
  if (!before?.lines || before.sha256 !== sha256) return undefined;
  const lines = mergeRanges(last < first ? before.lines : [...before.lines, [first, last]]);
  const [all] = lines;
  return lines.length === 1 && all?.[0] === 1 && all[1] >= totalLines ? undefined : lines;
}

function rowOf(line: string, number: number): string {
  const cut = line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS).toWellFormed()}…` : line;
  return `${String(number).padStart(6)}\t${cut}`;
}

function pageNotes(page: NumberedLines, whole: boolean, file: OpenFile): string[] {
  const notes: string[] = [];
  if (page.cutLines > 0) notes.push(`[${amount(page.cutLines, "line")} cut at ${MAX_LINE_CHARS} characters]`);
  if (!whole) {
    const about = `file of ${byteSize(file.sizeBytes)}, its lines were not counted`;
    notes.push(`[lines ${page.first}-${page.last}, ${about}; read on with offset=${page.last + 1}]`);
  } else if (page.last < page.totalLines) {
    const on = `read on with offset=${page.last + 1}`;
    notes.push(`[lines ${page.first}-${page.last} of ${page.totalLines}; ${on}]`);
  }
  return notes;
}

const encodingNames: Readonly<Record<string, string>> = {
  "utf-16le": "UTF-16, little-endian, which edit and write keep",
  "utf-16be": "UTF-16, big-endian, which edit and write keep",
  latin1: `not UTF-8; read as Latin-1; to edit it, ${ENCODING_ADVICE}`,
};

const reasons: Record<NonNullable<FileEncoding["from"]>, string> = {
  ".editorconfig": "as .editorconfig says",
  file_encoding: "as the setting file_encoding says",
  characters: "as its characters show",
};

function encodingNotes(content: TextContent, page: NumberedLines): string[] {
  if (content.from) return [`[${content.encoding}, ${reasons[content.from]}; edit and write keep it]`];
  if (content.encoding !== "utf-8") return [`[${encodingNames[content.encoding]}]`];
  const notes: string[] = [];
  if (content.bom) notes.push("[starts with a byte order mark, which edit keeps]");
  if (page.text.includes("\uFFFD")) notes.push("[some bytes may not be valid UTF-8; they are shown as \uFFFD]");
  return notes;
}
