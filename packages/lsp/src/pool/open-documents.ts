import { pathToFileURL } from "node:url";
import { isRecord } from "@harness/host";
import type { LanguageClient } from "../client/language-client.ts";
import { type Finding, readFindings } from "../findings/finding.ts";

/** A file that the server has in the state that it was last given. */
export type OpenDocument = {
  readonly path: string;
  readonly uri: string;
  version: number;
  text: string;
  /** The findings in this version; undefined: not known. */
  findings: readonly Finding[] | undefined;
  /** The server has pushed findings without saying for which version. */
  isVersionless: boolean;
};

/** More are closed, the least recently used first. */
const MAX_OPEN = 50;

/** The files that a server knows from us rather than from the disk. */
export class OpenDocuments {
  readonly #documents = new Map<string, OpenDocument>();
  readonly #waiting = new Set<() => void>();

  get all(): readonly OpenDocument[] {
    return [...this.#documents.values()];
  }

  find(path: string): OpenDocument | undefined {
    return this.#documents.get(path);
  }

  /** Tells the server that the file has this text. */
  sync(client: LanguageClient, { path, text, languageId }: { path: string; text: string; languageId: string }) {
    const known = this.#documents.get(path);
    if (known) {
      this.#documents.delete(path);
      this.#documents.set(path, known);
      if (known.text !== text) this.#change(client, known, text);
      return known;
    }
    const uri = pathToFileURL(path).href;
    const opened: OpenDocument = { path, uri, version: 1, text, findings: undefined, isVersionless: false };
    this.#documents.set(path, opened);
    client.notify("textDocument/didOpen", { textDocument: { uri, languageId, version: 1, text } });
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
    if (params.version === undefined || params.version === null) document.isVersionless = true;
    else if (params.version === document.version) document.findings = readFindings(params.diagnostics, document);
    this.#wake();
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

  #change(client: LanguageClient, document: OpenDocument, text: string): void {
    document.version += 1;
    document.text = text;
    document.findings = undefined;
    const { uri, version } = document;
    client.notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] });
    client.notify("textDocument/didSave", { textDocument: { uri } });
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
