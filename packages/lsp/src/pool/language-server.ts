import type { Clock } from "@harness/gate";
import { plainLine } from "@harness/host";
import { LanguageClient } from "../client/language-client.ts";
import type { Finding } from "../findings/finding.ts";
import { groupMemory } from "../process/group-memory.ts";
import type { LanguageServerCommand } from "../process/server-command.ts";
import { fileText, type TextOfFile } from "./file-text.ts";
import { findingsIn, isAsked } from "./findings-in.ts";
import { type OpenDocument, OpenDocuments } from "./open-documents.ts";
import { RestartLimit } from "./restart-limit.ts";

/** `given-up`: it is not started again. `waiting`: it has failed, and is started again later. */
export type LanguageServerState = "off" | "starting" | "ready" | "waiting" | "given-up";

/** `why`: the end of a sentence about the server. */
export type FileOutcome = { readonly findings: readonly Finding[] } | { readonly why: string };

/** A file as it is to be checked. */
export type CheckedText = { readonly path: string; readonly text: string };

export type ServerDeps = { readonly clock: Clock; readonly maxMemoryBytes: number };

/** Some read a large project before they say hello. */
const START_MS = 60_000;
/** A server that takes longer for an answer hangs. */
const HANG_MS = 30_000;
const LOOK_AGAIN_MS = 5_000;
const MAX_REFUSALS = 20;
const MAX_WORDS = 300;

/** A language server for one root: started when it is needed, and again when it has failed. */
export class LanguageServer {
  readonly command: LanguageServerCommand;
  readonly documents: OpenDocuments;
  /** Its requests that were refused, in their order. */
  readonly refused: string[] = [];
  readonly #deps: ServerDeps;
  readonly #restarts: RestartLimit;
  readonly #closed = new AbortController();
  #checked: Promise<unknown> = Promise.resolve();
  #client: LanguageClient | undefined;
  #starting: Promise<LanguageClient | undefined> | undefined;
  #watch: NodeJS.Timeout | undefined;

  constructor(command: LanguageServerCommand, deps: ServerDeps) {
    this.command = command;
    this.documents = new OpenDocuments(command.row.versions);
    this.#deps = deps;
    this.#restarts = new RestartLimit(deps.clock);
  }

  get name(): string {
    return this.command.row.name;
  }

  get state(): LanguageServerState {
    if (this.pid !== undefined) return this.#starting ? "starting" : "ready";
    if (this.#starting) return "starting";
    if (this.#restarts.isOver) return "given-up";
    return this.#restarts.problem === undefined ? "off" : "waiting";
  }

  /** Why it has ended, or could not be started. */
  get problem(): string | undefined {
    return this.#restarts.problem;
  }

  get pid(): number | undefined {
    return this.#client?.isOver ? undefined : this.#client?.process.pid;
  }

  get memoryBytes(): number | undefined {
    return this.pid === undefined ? undefined : groupMemory(this.pid);
  }

  /**
   * The findings in these texts, in their order. The server is given all of them before it is asked about one, and those
   * of an earlier call are checked by then. `read`: the texts of others that it has open. None rejects.
   */
  check(texts: readonly CheckedText[], read: TextOfFile = fileText): Promise<FileOutcome>[] {
    const given = this.#checked.then(() => this.#give(texts, read));
    const verdicts = texts.map(async (_, at): Promise<FileOutcome> => {
      const { client, documents, pushed } = await given;
      const document = documents[at];
      if (!client || !document) return { why: this.#restarts.words };
      if (!pushed.has(document) || pushed.size === documents.length) return this.#verdict(client, document);
      await Promise.all(verdicts.filter((_, other) => documents[other] && !pushed.has(documents[other])));
      await this.documents.pushedAgain(document);
      return this.#verdict(client, document);
    });
    this.#checked = Promise.all(verdicts);
    return verdicts;
  }

  /** Its answer about a file that it is given first, after all that it is being asked. Never rejects. */
  ask(
    text: CheckedText,
    { method, params }: { method: string; params: object },
    signal: AbortSignal,
  ): Promise<{ answer: unknown } | { why: string }> {
    const answer = this.#checked.then(async () => {
      const { client } = await this.#give([text], fileText);
      if (!client) return { why: this.#restarts.words };
      return { answer: await client.request(method, params, AbortSignal.any([signal, this.#closed.signal])) };
    });
    const safe = answer.catch((error: unknown) => ({ why: `does not answer: ${errorWords(error)}` }));
    this.#checked = safe;
    return safe;
  }

  /** The running server, started if needed; undefined: not at present. Never rejects. */
  async ready(): Promise<LanguageClient | undefined> {
    if (this.#closed.signal.aborted) return undefined;
    if (this.#starting) return await this.#starting;
    if (this.#client && !this.#client.isOver) return this.#client;
    if (!this.#restarts.mayStart) return undefined;
    this.#starting = this.#start();
    return await this.#starting.finally(() => {
      this.#starting = undefined;
    });
  }

  /** The file is gone. */
  forget(path: string): void {
    if (this.#client) this.documents.close(this.#client, path);
  }

  /** Tells it about files that were changed on disk. */
  noteChanges(changes: readonly { uri: string; type: 1 | 2 | 3 }[]): void {
    if (changes.length > 0) this.#client?.notify("workspace/didChangeWatchedFiles", { changes });
  }

  /** Ends it if it uses too much; called every few seconds while it runs. */
  watchMemory(): void {
    const bytes = this.memoryBytes ?? 0;
    const { maxMemoryBytes } = this.#deps;
    if (bytes > maxMemoryBytes) this.#client?.kill(`used more than ${Math.round(maxMemoryBytes / 1e6)} MB`);
  }

  async close(): Promise<void> {
    this.#closed.abort(new Error("the workspace was closed"));
    clearInterval(this.#watch);
    await this.#client?.close();
    this.documents.clear();
  }

  /**
   * `pushed`: those that have not changed and whose findings it has pushed: they may follow from others that have
   * changed.
   */
  async #give(texts: readonly CheckedText[], read: TextOfFile) {
    const client = await this.ready();
    if (!client) return { documents: [], pushed: new Set<OpenDocument>() };
    this.#refresh(client, new Set(texts.map(({ path }) => path)), read);
    const documents = texts.map(({ path, text }) => this.#sync(client, path, text));
    const known = isAsked(client, this.command.row) ? [] : documents.filter(({ findings }) => findings);
    return { client, documents, pushed: new Set(known) };
  }

  /** Others may have changed or removed open files: an undo, a command, the person. */
  #refresh(client: LanguageClient, given: ReadonlySet<string>, read: TextOfFile): void {
    for (const { path, text: known, isSaved } of this.documents.all) {
      if (given.has(path)) continue;
      const text = read(path);
      if (text === undefined) this.documents.close(client, path);
      else if (text !== known || !isSaved) this.#sync(client, path, text);
    }
  }

  #sync(client: LanguageClient, path: string, text: string): OpenDocument {
    const isSaved = fileText(path) === text;
    return this.documents.sync(client, { path, text, isSaved, languageId: languageOf(this.command, path) });
  }

  async #verdict(client: LanguageClient, document: OpenDocument): Promise<FileOutcome> {
    try {
      const ask = (method: string, params: object) => this.#ask(client, method, params);
      const { documents } = this;
      const from = { client, documents, row: this.command.row, ask, closed: this.#closed.signal };
      const findings = await findingsIn(document, from);
      if (!findings) return { why: document.isVersionless ? VERSIONLESS : "has not answered" };
      document.findings = findings;
      return { findings };
    } catch (error) {
      return { why: whyOf(error) };
    }
  }

  /** A request that the server must answer: one that does not is ended. */
  async #ask(client: LanguageClient, method: string, params: object): Promise<unknown> {
    const over = new AbortController();
    const late = new AbortController();
    const why = `did not answer within ${HANG_MS / 1000} seconds`;
    void this.#deps.clock.sleep(HANG_MS, over.signal).then(() => late.abort(new Error(`the server ${why}`)));
    try {
      return await client.request(method, params, AbortSignal.any([late.signal, this.#closed.signal]));
    } catch (error) {
      if (late.signal.aborted) client.kill(why);
      throw error;
    } finally {
      over.abort();
    }
  }

  async #start(): Promise<LanguageClient | undefined> {
    this.documents.clear();
    this.#client = undefined;
    try {
      const client = await LanguageClient.start(this.command, {
        onPushed: (params) => this.documents.takePushed(params),
        onRefused: (words) => this.#refuse(words),
        onRefresh: () => undefined,
        onEnd: (why) => this.#ended(why),
      });
      this.#client = client;
      if (this.#closed.signal.aborted) {
        await client.close();
        return undefined;
      }
      await this.#hello(client);
      this.#restarts.noteStart();
      this.#watch = setInterval(() => this.watchMemory(), LOOK_AGAIN_MS).unref();
      return client;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      // Its end notes itself.
      if (this.#client) this.#client.kill(why);
      else this.#restarts.noteEnd(plainLine(why, MAX_WORDS));
      return undefined;
    }
  }

  async #hello(client: LanguageClient): Promise<void> {
    const late = AbortSignal.timeout(START_MS);
    try {
      await client.initialize(this.command, AbortSignal.any([late, this.#closed.signal]));
    } catch (error) {
      if (late.aborted) client.kill(`did not start within ${START_MS / 1000} seconds`);
      throw error;
    }
  }

  #ended(why: string): void {
    clearInterval(this.#watch);
    this.documents.clear();
    if (this.#closed.signal.aborted) return;
    const said = plainLine(this.#client?.stderr ?? "", MAX_WORDS);
    this.#restarts.noteEnd(plainLine(said === "" ? why : `${why}: ${said}`, MAX_WORDS));
  }

  #refuse(words: string): void {
    if (this.refused.length < MAX_REFUSALS && this.refused.at(-1) !== words) this.refused.push(words);
  }
}

/** Why what it pushes does not count. */
export const VERSIONLESS = "does not say for which version of a file its findings are";
/** The end of a sentence about the server. */
function whyOf(error: unknown): string {
  const words = errorWords(error);
  const own = words.replace(/^the server /, "");
  return own === words ? `answers with an error: ${words}` : own;
}

function errorWords(error: unknown): string {
  return plainLine(error instanceof Error ? error.message : String(error), MAX_WORDS);
}

function languageOf({ row }: LanguageServerCommand, path: string): string {
  const ending = Object.keys(row.languages).find((each) => path.endsWith(each));
  return (ending && row.languages[ending]) ?? "plaintext";
}
