/** The part of a page that may declare its encoding (HTML standard, 13.2.3.2: within the first 1024 bytes). */
const HEAD_BYTES = 1024;

/**
 * Decodes bytes: a byte order mark takes precedence over the header, the header over the page's declaration, and that
 * over UTF-8.
 */
export function decodedText(body: Buffer, { contentType, isHtml }: { contentType: string; isHtml: boolean }): string {
  const declared = /charset\s*=\s*["']?([\w.:-]+)/i;
  const label =
    markOf(body) ??
    declared.exec(contentType)?.[1] ??
    (isHtml ? declared.exec(body.toString("latin1", 0, HEAD_BYTES))?.[1] : undefined);
  return decoderFor(label).decode(body);
}

function markOf(body: Buffer): string | undefined {
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le";
  if (body[0] === 0xfe && body[1] === 0xff) return "utf-16be";
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? "utf-8" : undefined;
}

function decoderFor(label: string | undefined): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label ?? "utf-8");
  } catch {
    // An unknown encoding.
    return new TextDecoder();
  }
}
