import type { Effect } from "@harness/protocol";

/**
 * The longest path that Linux accepts (four times that of macOS) and the longest name that file systems do. In bytes.
 */
const MAX_PATH = 4095;
const MAX_NAME = 255;
/** For all paths of one call together: each of their segments is looked at several times. */
const MAX_ALL = 250_000;

/** Why nothing can exist at the paths of a call, as a sentence; undefined: something may. Nothing is looked up. */
export function pathIssue(effects: readonly Effect[]): string | undefined {
  const paths = effects.flatMap((effect) => ("path" in effect ? [effect.path] : []));
  const long = paths.find((path) => bytesOf(path) > MAX_PATH);
  if (long !== undefined) {
    return `This path is too long (${bytesOf(long)} bytes, at most ${MAX_PATH}): ${shortened(long)}`;
  }
  const name = paths.flatMap((path) => path.split("/")).find((segment) => bytesOf(segment) > MAX_NAME);
  if (name !== undefined) {
    return `This file name is too long (${bytesOf(name)} bytes, at most ${MAX_NAME}): ${shortened(name)}`;
  }
  const all = paths.reduce((sum, path) => sum + path.length, 0);
  return all > MAX_ALL
    ? `The call names ${paths.length} paths, too many for one call: split it into several.`
    : undefined;
}

function bytesOf(text: string): number {
  if (text.length * 3 <= MAX_NAME) return text.length;
  let bytes = 0;
  for (const sign of text) {
    const code = sign.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

function shortened(text: string): string {
  return `${text.slice(0, 60)}…`;
}
