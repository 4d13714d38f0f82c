import { shownName } from "@harness/protocol";
import { fairShares } from "../../shrinking/fair-shares.ts";
import type { SystemPiece } from "../system-section.ts";

/** Characters between two parts of the system text. */
const GAP = 2;
/** A shorter excerpt is useless, unlike the note that says where to read the file. */
const MIN_SHOWN = 200;

/** A file in the system text. */
export type FittedFile = {
  path: string;
  /** Precedes the text, with its line break. */
  heading: string;
  text: string;
  /** Follows the text if others wrote it. */
  ending?: string;
  /** The sentence that replaces the file if there is no room. */
  named: string;
  /** The hash of the text. */
  version?: string;
};

/**
 * Fits files, in order, into about `room` characters of the system text. If space is short, short files stay complete
 * and long ones share the rest; each cut file says how much is missing and where to read it. Files that cannot even be
 * named are counted, as a number of `what`.
 */
export function fittedFiles(files: readonly FittedFile[], room: number, what: string): SystemPiece[] {
  const trimmed = files.map((file) => ({ ...file, text: file.text.trim() }));
  const whole = trimmed.map((file) => pieceOf(file, `${file.heading}${file.text}${endOf(file)}`));
  if (lengthOf(whole) <= room) return whole;
  const shares = fairShares(
    whole.map(({ text }) => text.length + GAP),
    room,
  );
  const fitting = trimmed.map((file, index) => {
    const share = (shares[index] ?? 0) - GAP;
    const all = whole[index]?.text ?? "";
    return pieceOf(file, all.length <= share ? all : cutText(file, share));
  });
  if (lengthOf(fitting) <= room) return fitting;
  const named = trimmed.map((file, index) => {
    const text = fitting[index]?.text ?? "";
    return pieceOf(file, text === whole[index]?.text ? text : file.named);
  });
  return onlyNamed(named, room, what);
}

function pieceOf({ path, version }: FittedFile, text: string): SystemPiece {
  return { name: path, text, ...(version === undefined ? {} : { version }) };
}

function cutText(file: FittedFile, share: number): string {
  const { path, heading, text } = file;
  const note = (kept: number) =>
    `[… ${text.length - kept} of ${text.length} characters left out for lack of room: read ${shownName(path)} before you change anything]`;
  const kept = share - heading.length - note(0).length - endOf(file).length - 1;
  if (kept < MIN_SHOWN) return `${heading}${note(0)}`;
  return `${heading}${text.slice(0, kept).replace(/[\ud800-\udbff]$/, "")}${endOf(file)}\n${note(kept)}`;
}

function endOf({ ending }: FittedFile): string {
  return ending === undefined ? "" : `\n${ending}`;
}

/** Names the most local files, which come last, as long as there is room. */
function onlyNamed(pieces: readonly SystemPiece[], room: number, what: string): SystemPiece[] {
  const named: SystemPiece[] = [];
  for (const piece of pieces.toReversed()) {
    if (lengthOf([...named, piece]) > room) break;
    named.unshift(piece);
  }
  const left = pieces.length - named.length;
  if (left === 0) return named;
  const count = `${left} more ${what}${left === 1 ? " was" : "s were"} left out for lack of room.`;
  return [{ name: "", text: count }, ...named];
}

function lengthOf(pieces: readonly SystemPiece[]): number {
  return pieces.reduce((sum, { text }) => sum + text.length + GAP, 0);
}
