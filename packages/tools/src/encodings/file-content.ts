import { type ContentKind, contentKind } from "../files/content-kind.ts";
import type { OpenFile } from "../files/open-file.ts";
import { type EncodingSettings, type FileEncoding, fileEncoding, MAX_LEGACY_BYTES } from "./file-encoding.ts";

const HEAD_BYTES = 64 * 1024;

/** Text that is neither UTF-8 nor UTF-16 with a mark is read completely, as edit and write do. */
export async function contentOfFile(file: OpenFile, settings: EncodingSettings): Promise<TextContent | NoText> {
  const content = contentKind(await headOf(file));
  const mayBeText = content.kind === "text" ? !content.encoding.startsWith("utf-16") : content.kind === "binary";
  if (!mayBeText || file.sizeBytes > MAX_LEGACY_BYTES) return content;
  const encoding = fileEncoding({ realPath: file.realPath, bytes: await wholeOf(file) }, settings);
  if (!encoding?.from) return content;
  return { kind: "text", encoding: encoding.name, bom: false, from: encoding.from };
}

/** From the start, wherever the file was read to. */
async function wholeOf({ handle, sizeBytes }: OpenFile): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(sizeBytes);
  let end = 0;
  for (;;) {
    const { bytesRead } = await handle.read(bytes, end, bytes.length - end, end);
    if (bytesRead === 0) return bytes.subarray(0, end);
    end += bytesRead;
  }
}

type NoText = Exclude<ContentKind, { kind: "text" }>;
/** `from`: the source that states the encoding. */
export type TextContent = { kind: "text"; encoding: string; bom: boolean; from?: FileEncoding["from"] };

async function headOf(file: OpenFile): Promise<Buffer> {
  const head = Buffer.allocUnsafe(Math.min(HEAD_BYTES, file.sizeBytes + 1));
  const { bytesRead } = await file.handle.read(head, 0, head.length, 0);
  return head.subarray(0, bytesRead);
}
