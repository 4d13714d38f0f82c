import { pathToFileURL } from "node:url";
import { isRecord } from "@harness/host";
import type { LanguageClient } from "../client/language-client.ts";
import { type Finding, readFindings } from "../findings/finding.ts";
import type { PushedVersions } from "../rows/server-row.ts";

/** A file that the server has in the state that it was last given. */
export type OpenDocument = {
  readonly path: string;
  readonly uri: string;
  version: number;
  text: string;
  /** The same text is on disk: not while it waits for a review. */
  isSaved: boolean;
  /** The findings in this version; undefined: not known. */
  findings: readonly Finding[] | undefined;
  /** The server has pushed findings without saying for which version, and they do not count. */
  isVersionless: boolean;
  /** When the server was given this version; and when it has answered a request about it. */
  givenMs: number;
  answeredMs: number | undefined;
};

type SyncedText = { path: string; text: string; isSaved: boolean; languageId: string };

/** More are closed, the least recently used first. */
const MAX_OPEN = 50;
/** Servers push what they have found in several files at about the same time. */
const NEXT_PUSH_MS = 200;

/** The files that a server knows from us rather than from the disk. */
export class OpenDocuments {
  readonly #documents = new Map<string, OpenDocument>();
  readonly #versions: PushedVersions | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(versions?: PushedVersions) {
    this.#versions = versions;
  }

  get all(): readonly OpenDocument[] {
    return [...this.#documents.values()];
  }

  find(path: string): OpenDocument | undefined {
    return this.#documents.get(path);
  }

  /** Tells the server that the file has this text. */
  sync(client: LanguageClient, { path, text, isSaved, languageId }: SyncedText): OpenDocument {
    const known = this.#documents.get(path);
    if (known) {
      this.#documents.delete(path);
      this.#documents.set(path, known);
      const isNewlySaved = isSaved && (known.text !== text || !known.isSaved);
      known.isSaved = isSaved;
      if (known.text !== text) this.#change(client, known, text);
      if (isNewlySaved) client.notify("textDocument/didSave", { textDocument: { uri: known.uri } });
      return known;
    }
    const uri = pathToFileURL(path).href;
    const given = { findings: undefined, isVersionless: false, givenMs: performance.now(), answeredMs: undefined };
    const opened: OpenDocument = { path, uri, version: 1, text, isSaved, ...given };
    this.#documents.set(path, opened);
    client.notify("textDocument/didOpen", { textDocument: { uri, languageId, version: 1, text } });
    if (this.#versions?.named === "fromChange") this.#change(client, opened, text);
    for (const each of this.all.slice(0, -MAX_OPEN)) this.close(client, each.path);
    return opened;
  }

  close(client: LanguageClient, path: string): void {
    const known = this.#documents.get(path);
    if (!known) return;
    this.#documents.delete(path);
    client.notify("textDocument/didClose", { textDocument: { uri: known.uri } });
  }

  /** The server has ended: it knows nothing any more. */
  clear(): void {
    this.#documents.clear();
    this.#wake();
  }

  /** Findings that the server sent unasked; only those for the version that it was last given count. */
  takePushed(params: unknown): void {
    if (!isRecord(params) || typeof params.uri !== "string") return;
    const document = this.all.find(({ uri }) => uri === params.uri) ?? this.#byOtherSpelling(params.uri);
    if (!document) return;
    const { version = null } = params;
    if (version === document.version || (version === null && this.#isSettled(document)))
      document.findings = readFindings(params.diagnostics, document);
    else if (version === null && !this.#versions) document.isVersionless = true;
    this.#wake();
  }

  /** True if what it pushes now can only be about the text that it was given last. */
  #isSettled({ givenMs, answeredMs }: OpenDocument): boolean {
    if (this.#versions?.named !== "never" || answeredMs === undefined) return false;
    return performance.now() - givenMs >= this.#versions.afterMs;
  }

  /** Resolves when something was pushed, or the server has ended. */
  pushed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }

  /** Resolves when findings were pushed for this document once more, or soon would have been. */
  async pushedAgain(document: OpenDocument): Promise<void> {
    const { findings } = document;
    const limit = AbortSignal.timeout(NEXT_PUSH_MS);
    while (document.findings === findings && !limit.aborted) await this.pushed(limit);
  }

  #change(client: LanguageClient, document: OpenDocument, text: string): void {
    document.version += 1;
    document.text = text;
    document.findings = undefined;
    document.givenMs = performance.now();
    document.answeredMs = undefined;
    const { uri, version } = document;
    client.notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] });
  }

  /** Servers encode more characters than we do, or fewer. */
  #byOtherSpelling(uri: string): OpenDocument | undefined {
    try {
      const wanted = decodeURIComponent(uri);
      return this.all.find((each) => decodeURIComponent(each.uri) === wanted);
    } catch {
      return undefined;
    }
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
