import type { Finding } from "../findings/finding.ts";
import type { TextOfFile } from "../pool/file-text.ts";
import type { CheckedText, FileOutcome, LanguageServer } from "../pool/language-server.ts";

/** Other files that a server has open and that an edit may break; the most recently used ones. */
const MAX_OTHERS = 8;

/** The findings in files before a turn of an agent changed them. */
export class FindingRecord {
  readonly turnId: string;
  readonly #before = new Map<string, Promise<FileOutcome>>();
  readonly #new = new Set<string>();
  #noting: Promise<unknown> = Promise.resolve();

  constructor(turnId: string) {
    this.turnId = turnId;
  }

  /** Notes what is wrong in files with their texts before the change, each once in a turn. */
  note(server: LanguageServer, texts: readonly CheckedText[], read: TextOfFile): void {
    const added = texts.filter(({ path }) => !this.#before.has(keyOf(server, path)));
    if (added.length === 0) return;
    for (const [at, verdict] of server.check(added, read).entries()) {
      const text = added[at];
      if (text) this.#before.set(keyOf(server, text.path), verdict);
    }
  }

  /** Work that ends in notes; never rejects. */
  add(work: Promise<unknown>): void {
    this.#noting = Promise.all([this.#noting, work]);
  }

  /** Resolves when everything is noted that was added. */
  get noted(): Promise<unknown> {
    return this.#noting;
  }

  /** True if the file was not there. */
  isNew(path: string): boolean {
    return this.#new.has(path);
  }

  /** A file that was not there had no mistakes. */
  noteNew(server: LanguageServer, path: string): void {
    const key = keyOf(server, path);
    this.#new.add(path);
    if (!this.#before.has(key)) this.#before.set(key, Promise.resolve({ findings: [] }));
  }

  /** Undefined: not known. */
  async of(server: LanguageServer, path: string): Promise<readonly Finding[] | undefined> {
    const verdict = await this.#before.get(keyOf(server, path));
    return verdict && "findings" in verdict ? verdict.findings : undefined;
  }
}

/** The files that a server has open besides these. */
export function others(server: LanguageServer, paths: readonly string[], read: TextOfFile): CheckedText[] {
  const open = server.documents.all.filter(({ path }) => !paths.includes(path)).slice(-MAX_OTHERS);
  return open.flatMap(({ path }) => {
    const text = read(path);
    return text === undefined ? [] : [{ path, text }];
  });
}

function keyOf({ command, name }: LanguageServer, path: string): string {
  return `${name}\0${command.cwd}\0${path}`;
}
