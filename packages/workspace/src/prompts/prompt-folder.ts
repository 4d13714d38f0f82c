import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { type ModePart, type ModePrompts, modeTexts } from "@harness/core";
import {
  errorCode,
  isRecord,
  makePrivateFolder,
  readFileStart,
  readRegularFile,
  replaceOwnFile,
  sweepDrafts,
  writeNewFile,
} from "@harness/host";

const MAX_BYTES = 64_000;
/** Names and hashes of the files that harness wrote: an unchanged file is not the user's own text. */
const RECORD = ".seeded.json";
const parts = Object.keys(modeTexts) as ModePart[];

/**
 * The texts of the system prompt as files, `header.md` and one per mode, for the user to edit. Missing files are
 * written once per process; nothing is overwritten. An unchanged file means the current text of harness, even if an
 * older version wrote it.
 */
export class PromptFolder implements ModePrompts {
  readonly #folder: string;
  readonly #report: (error: unknown, where: string) => void;
  #isSeeded = false;

  constructor(folder: string, report: (error: unknown, where: string) => void) {
    this.#folder = folder;
    this.#report = report;
  }

  read(name: ModePart): Promise<string | undefined> {
    if (!this.#isSeeded) this.#trySeed();
    return this.#look(name);
  }

  /** Takes a text over unless the person has one of their own; false if they have. Throws what the file system throws. */
  async take(name: string, text: string): Promise<boolean> {
    const part = parts.find((each) => each === name);
    if (part === undefined || (await this.read(part)) !== undefined) return false;
    replaceOwnFile(this.#path(part), `${text.trim()}\n`);
    return true;
  }

  /** The parts that the person has written. */
  async written(): Promise<string[]> {
    const texts = await Promise.all(parts.map(async (part) => ((await this.#look(part)) === undefined ? [] : part)));
    return texts.flat();
  }

  /** For ephemeral sessions: missing files are not written. */
  get readOnly(): ModePrompts {
    return { read: (name) => this.#look(name) };
  }

  async #look(name: ModePart): Promise<string | undefined> {
    try {
      // In the user's own folder a link may lead anywhere.
      const real = await realpath(this.#path(name)).catch(() => undefined);
      const file = real === undefined ? undefined : await readFileStart(real, MAX_BYTES);
      if (!file) return undefined;
      const text = file.bytes.toString("utf8").trim().toWellFormed();
      if (text === modeTexts[name].trim()) return undefined;
      return this.#seeded()[name] === hashOf(text) ? undefined : text;
    } catch (error) {
      this.#report(error, `prompts/${name}.md`);
      return undefined;
    }
  }

  #trySeed(): void {
    this.#isSeeded = true;
    try {
      this.#seed();
    } catch (error) {
      this.#report(error, "prompts");
    }
  }

  /**
   * The record is written before the files: whenever the process ends, the next one finds all of them, or knows which
   * are missing. Synchronous, so that no process ends by itself in between.
   */
  #seed(): void {
    makePrivateFolder(this.#folder);
    const there = new Set(readdirSync(this.#folder));
    sweepDrafts(this.#folder);
    const missing = parts.filter((name) => !there.has(`${name}.md`));
    const record = this.#seeded();
    // A process of an older version may have ended before writing the record.
    const unnoted = parts.filter(
      (name) => record[name] !== builtIn(name) && (missing.includes(name) || this.#isBuiltIn(name)),
    );
    if (unnoted.length > 0) {
      const added = Object.fromEntries(unnoted.map((name) => [name, builtIn(name)]));
      replaceOwnFile(join(this.#folder, RECORD), `${JSON.stringify({ ...record, ...added }, undefined, 2)}\n`);
    }
    for (const name of missing) this.#write(name);
  }

  #isBuiltIn(name: ModePart): boolean {
    try {
      const bytes = readRegularFile(this.#path(name), { maxBytes: MAX_BYTES, followLinks: false });
      return hashOf(bytes.toString("utf8").trim()) === builtIn(name);
    } catch {
      return false;
    }
  }

  /** Written completely or not at all, and never over an existing file. */
  #write(name: ModePart): void {
    try {
      writeNewFile(this.#path(name), `${modeTexts[name]}\n`);
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }

  #seeded(): Partial<Record<string, unknown>> {
    try {
      const bytes = readRegularFile(join(this.#folder, RECORD), { maxBytes: MAX_BYTES, followLinks: false });
      const record: unknown = JSON.parse(bytes.toString("utf8"));
      return isRecord(record) ? record : {};
    } catch {
      // The record is missing or unreadable: every file that differs counts as the user's.
      return {};
    }
  }

  #path(name: ModePart): string {
    return join(this.#folder, `${name}.md`);
  }
}

/** The texts of a folder, for stored and for ephemeral sessions. */
export function promptsOf(
  folder: string,
  report: (error: unknown, where: string) => void,
): Readonly<Record<"stored" | "ephemeral", ModePrompts>> {
  const prompts = new PromptFolder(folder, report);
  return { stored: prompts, ephemeral: prompts.readOnly };
}

/** The hash of the current text. */
function builtIn(name: ModePart): string {
  return hashOf(modeTexts[name].trim());
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
