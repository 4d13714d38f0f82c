import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cutMiddle, type InstructionFile } from "@harness/core";
import { isSecret, isWithin } from "@harness/gate";
import { readFileStart } from "@harness/host";
import { findRepository } from "../files/git-state.ts";
import { withIncludes } from "./includes.ts";

/** In each folder the first existing one is used. */
export const instructionNames = ["TINYHARNESS.md", ".tinyharness.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md"];
const MAX_CHARS = 20_000;
/** Larger files are read up to here. */
const MAX_BYTES = 1024 * 1024;

/** `own`: a file of the user's, whose links and includes may lead anywhere in their home. */
export type Owner = { home: string; isOwn: boolean };

/** The first instruction file of a folder that may be read; undefined: it has none. */
export async function readFirst(folder: string, owner: Owner): Promise<InstructionFile | undefined> {
  for (const name of instructionNames) {
    const file = await readInstructions(join(folder, name), owner);
    if (file && file.text !== "") return file;
  }
  return undefined;
}

/**
 * An instruction file with its includes, cut to 20,000 characters; undefined: it is missing or must not be read. The
 * text goes to the model, so a link in a cloned folder must not lead to one of the user's own files.
 */
export async function readInstructions(path: string, { home, isOwn }: Owner): Promise<InstructionFile | undefined> {
  const folder = await realpath(dirname(path)).catch(() => undefined);
  const real = await realpath(path).catch(() => undefined);
  if (folder === undefined || real === undefined || isSecret(real)) return undefined;
  if (!isOwn && !isWithin(real, folder)) return undefined;
  const words = await readTextFile(real);
  if (words === undefined) return undefined;
  const trees = isOwn ? [home, folder] : [(await findRepository(folder))?.root ?? folder];
  const read = (file: string) => (isSecret(file) ? Promise.resolve(undefined) : readTextFile(file));
  const text = await withIncludes(words, real, { trees, home, read });
  return { path, text: cutInstructions(text.trim(), path) };
}

/** The text of a regular file; undefined: it does not exist, or is not text. */
export async function readTextFile(real: string): Promise<string | undefined> {
  const start = await readFileStart(real, MAX_BYTES);
  if (!start || start.bytes.includes(0)) return undefined;
  const text = start.bytes
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trim();
  const left = start.sizeBytes - start.bytes.length;
  return left > 0 ? `${text}\n[… ${left} more bytes of this file were not read …]` : text;
}

/** Cuts a long text to its first 70 % and its last 30 %, with a note. */
export function cutInstructions(text: string, path: string): string {
  const note = (left: number) => `[… ${left} of ${text.length} characters left out: ${path} has them …]`;
  return cutMiddle(text.toWellFormed(), MAX_CHARS, note);
}
