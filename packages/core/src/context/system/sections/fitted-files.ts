import { shownName } from "@harness/protocol";
import { fairShares } from "../../shrinking/fair-shares.ts";
import type { SystemPiece } from "../system-section.ts";

/** Characters between two parts of the system text. */
const GAP = 2;
/** A shorter excerpt of a file is of no use; the note that says where to read it is. */
const MIN_SHOWN = 200;

/** A file of the system text. */
export type FittedFile = {
  path: string;
  /** Stands before the text, with its line break. */
  heading: string;
  text: string;
  /** Stands behind the text, where others wrote it. */
  ending?: string;
  /** The sentence that stands for it where there is no room. */
  named: string;
  /** The hash of the text. */
  version?: string;
};

/**
 * Puts files, in order, into about `room` characters of the system text. Where they do not fit, short ones stay whole and
 * long ones share the rest; each cut file says how much is missing and where to read it. Files too many to be named are
 * counted, as so many of `what`.
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

/** Names the most local files, which come last, for as long as there is room. */
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
