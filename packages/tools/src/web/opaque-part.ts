/** Hexadecimal digests are up to this long (SHA-256). They name commits, files and packages, and are let through. */
const MAX_DIGEST = 64;
const MAX_READABLE = 48;
/** Parts of a host name with this many letters and digits are unreadable. */
const MAX_LABEL = 40;

/**
 * The first long and unreadable part of an address, such as a token or encoded data. Words with hyphens, numbers,
 * digests and identifiers are readable.
 */
export function opaquePart(url: URL): string | undefined {
  const { hostname, pathname, search } = url;
  if (!hostname.startsWith("[")) {
    const label = hostname.split(".").find((each) => each.length >= MAX_LABEL && isOpaqueLabel(each));
    if (label !== undefined) return label;
  }
  return partsOf(`${pathname}${search}`).find((part) => isOpaque(part, MAX_READABLE));
}

function partsOf(text: string): string[] {
  let plain = text;
  try {
    plain = decodeURIComponent(text);
  } catch {
    // It is then judged as it stands.
  }
  return plain.split(/[/?&=#.,;:!@$'()*|\s[\]{}"<>]+/);
}

/** Host names contain no digests. */
function isOpaqueLabel(label: string): boolean {
  return (label.match(/\d/g)?.length ?? 0) > label.length / 8 || isOpaque(label, MAX_LABEL);
}

function isOpaque(part: string, longest: number): boolean {
  if (part.length < longest || !/^[\w+~%-]+$/.test(part)) return false;
  if (/^[0-9a-f]+$/i.test(part)) return part.length > MAX_DIGEST;
  const pieces = part.split(/[-_+~%]/);
  const readable = pieces.filter(isWord).reduce((sum, piece) => sum + piece.length + 1, 0);
  return readable < part.length / 2;
}

/** Letters with at most one capital, at the beginning, no longer than words are; or a number. */
function isWord(piece: string): boolean {
  return /^(\d{1,12}|[A-Z]?[a-z]{0,60}\d{0,4}|[A-Z]{1,12}\d{0,4}|([A-Z][a-z]{1,14}){2,5})$/.test(piece);
}
