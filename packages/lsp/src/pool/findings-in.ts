import { isRecord } from "@harness/host";
import type { LanguageClient } from "../client/language-client.ts";
import { type Finding, readFindings } from "../findings/finding.ts";
import type { ServerRow } from "../rows/server-row.ts";
import type { OpenDocument, OpenDocuments } from "./open-documents.ts";

/** A running server. `ask`: it is ended if it does not answer. `closed`: nothing is wanted any more. */
type FindingsSource = {
  readonly client: LanguageClient;
  readonly documents: OpenDocuments;
  readonly row: ServerRow;
  readonly closed: AbortSignal;
  ask(method: string, params: object): Promise<unknown>;
};

/** Some push nothing if nothing has changed. */
const PUSH_MS = 10_000;
/** The server has cancelled the request, or the text has changed meanwhile: it may be asked again. */
const TEMPORARY = [-32_802, -32_801, -32_800];
const ATTEMPTS = 3;

/**
 * The findings in this version of a document: asked for where the server can be asked, otherwise what it pushes for this
 * version. Undefined: not known. Rejects with what the server says.
 */
export async function findingsIn(
  document: OpenDocument,
  source: FindingsSource,
): Promise<readonly Finding[] | undefined> {
  const { client, documents, row, closed } = source;
  if (row.asks) return await askedInItsWay(document, source, row.asks);
  const limit = AbortSignal.any([closed, AbortSignal.timeout(PUSH_MS)]);
  if (row.versions?.named === "never") await noteAnswer(document, source);
  while (!isAsked(client, row)) {
    if (document.findings || document.isVersionless || limit.aborted || client.isOver) return document.findings;
    await Promise.race([documents.pushed(limit), client.registered()]);
  }
  return await pulled(document, source);
}

/** True if its findings are asked for, and not what it pushes. */
export function isAsked(client: LanguageClient, { asks }: ServerRow): boolean {
  return asks !== undefined || client.can("diagnosticProvider", "textDocument/diagnostic");
}

/** A server answers in order: when it has answered this, it has the text. */
async function noteAnswer(document: OpenDocument, { ask }: FindingsSource): Promise<void> {
  const { uri, version } = document;
  if (document.findings) return;
  await ask("textDocument/documentSymbol", { textDocument: { uri } });
  if (document.version === version) document.answeredMs = performance.now();
}

async function pulled(document: OpenDocument, { ask }: FindingsSource): Promise<readonly Finding[] | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      const { uri, version } = document;
      const answer = await ask("textDocument/diagnostic", { textDocument: { uri } });
      if (document.version !== version) return undefined;
      return isRecord(answer) && answer.kind === "full" ? readFindings(answer.items, document) : undefined;
    } catch (error) {
      if (!isTemporary(error)) throw error;
    }
  }
  return undefined;
}

async function askedInItsWay(
  document: OpenDocument,
  { ask }: FindingsSource,
  { questions, read }: NonNullable<ServerRow["asks"]>,
): Promise<readonly Finding[] | undefined> {
  const { path, version } = document;
  const found: unknown[] = [];
  for (const { method, params } of questions(path)) found.push(...read(await ask(method, params)));
  return document.version === version ? readFindings(found, document) : undefined;
}

function isTemporary(error: unknown): boolean {
  return isRecord(error) && typeof error.code === "number" && TEMPORARY.includes(error.code);
}
