import { createHash, randomBytes } from "node:crypto";
import { link, mkdir, readdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ModePart, type ModePrompts, modeTexts } from "@harness/core";
import { readFileStart } from "@harness/host";

const MAX_BYTES = 64_000;
/** Names and hashes of the files that harness wrote: an unchanged file is not the person's own text. */
const RECORD = ".seeded.json";
const parts = Object.keys(modeTexts) as ModePart[];

/**
 * The texts of the system prompt as files, `header.md` and one per mode, for a person to change. Missing files are
 * written once per process, in the background; nothing is overwritten. An unchanged file stands for the current text of
 * harness, also when an older version wrote it.
 */
export class PromptFolder implements ModePrompts {
  readonly #folder: string;
  readonly #report: (error: unknown, where: string) => void;
  #seeding: Promise<void> | undefined;

  constructor(folder: string, report: (error: unknown, where: string) => void) {
    this.#folder = folder;
    this.#report = report;
  }

  read(name: ModePart): Promise<string | undefined> {
    this.#seeding ??= this.#seed().catch((error: unknown) => this.#report(error, "prompts"));
    return this.#look(name);
  }

  /** For sessions that leave nothing behind: missing files are not written. */
  get readOnly(): ModePrompts {
    return { read: (name) => this.#look(name) };
  }

  async #look(name: ModePart): Promise<string | undefined> {
    try {
      // In the person's own folder a link may lead anywhere.
      const real = await realpath(this.#path(name)).catch(() => undefined);
      const file = real === undefined ? undefined : await readFileStart(real, MAX_BYTES);
      if (!file) return undefined;
      const text = file.bytes.toString("utf8").trim().toWellFormed();
      if (text === modeTexts[name].trim()) return undefined;
      return (await this.#seeded())[name] === hashOf(text) ? undefined : text;
    } catch (error) {
      this.#report(error, `prompts/${name}.md`);
      return undefined;
    }
  }

  /** Resolves when the files are written, or cannot be; for tests. */
  async ready(): Promise<void> {
    await this.#seeding;
  }

  async #seed(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const there = new Set(await readdir(this.#folder));
    const missing = parts.filter((name) => !there.has(`${name}.md`));
    const written = await Promise.all(missing.map(async (name) => ((await this.#write(name)) ? name : undefined)));
    const fresh = written.filter((name) => name !== undefined);
    if (fresh.length === 0) return;
    const hashes = fresh.map((name) => [name, hashOf(modeTexts[name].trim())] as const);
    const record = { ...(await this.#seeded()), ...Object.fromEntries(hashes) };
    const draft = this.#draft();
    await writeFile(draft, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 });
    await rename(draft, join(this.#folder, RECORD));
  }

  /** Written completely or not at all, and never over an existing file. False = the file exists. */
  async #write(name: ModePart): Promise<boolean> {
    const draft = this.#draft();
    await writeFile(draft, `${modeTexts[name]}\n`, { mode: 0o600, flag: "wx" });
    try {
      await link(draft, this.#path(name));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw error;
    } finally {
      await rm(draft, { force: true });
    }
  }

  async #seeded(): Promise<Partial<Record<string, unknown>>> {
    try {
      const record: unknown = JSON.parse(await readFile(join(this.#folder, RECORD), "utf8"));
      return typeof record === "object" && record !== null ? { ...record } : {};
    } catch {
      // The record is missing or unreadable: every file that differs counts as the person's.
      return {};
    }
  }

  #path(name: ModePart): string {
    return join(this.#folder, `${name}.md`);
  }

  #draft(): string {
    return join(this.#folder, `.${randomBytes(6).toString("hex")}.tmp`);
  }
}

/** The texts of a folder, for stored sessions and for those that leave nothing behind. */
export function promptsOf(
  folder: string,
  report: (error: unknown, where: string) => void,
): Readonly<Record<"stored" | "ephemeral", ModePrompts>> {
  const prompts = new PromptFolder(folder, report);
  return { stored: prompts, ephemeral: prompts.readOnly };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
