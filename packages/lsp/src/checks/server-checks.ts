import { pathToFileURL } from "node:url";
import type { EditChecks, EditReport, FileEdits } from "@harness/core";
import type { Clock } from "@harness/gate";
import { realPathOrSame } from "@harness/host";
import { newFindings } from "../findings/new-findings.ts";
import { fileText } from "../pool/file-text.ts";
import { type CheckedText, type FileOutcome, type LanguageServer, VERSIONLESS } from "../pool/language-server.ts";
import type { LanguageServers } from "../pool/language-servers.ts";
import { checksReport, type FileReport } from "./checks-report.ts";
import { FindingRecord, others } from "./finding-record.ts";

export type ServerChecksOptions = {
  readonly servers: LanguageServers;
  readonly clock: Clock;
  /** Asked for each check. */
  level(): "errors" | "all";
  waitMs(): number;
};

/** More files of one batch are not checked. */
const MAX_FILES = 20;
/** Agents whose last turn is remembered. */
const MAX_AGENTS = 200;

type BatchEdits = FileEdits & { readonly commands: boolean };
/** `isEdited`: by this batch; otherwise it may have been broken by it. */
type Job = { server: LanguageServer; path: string; verdict: Promise<FileOutcome>; isEdited: boolean };

/** Checks what the agents of a session change with the language servers of its folder. */
export class ServerChecks implements EditChecks {
  readonly #options: ServerChecksOptions;
  readonly #baselines = new Map<string, FindingRecord>();
  /** Servers that will not check anything, which is said once. */
  readonly #saidOnce = new Set<LanguageServer>();

  constructor(options: ServerChecksOptions) {
    this.#options = options;
  }

  async before({ agentId, turnId, cwd, paths }: FileEdits): Promise<void> {
    const baseline = this.#baseline(agentId, turnId);
    const known = this.#known(paths.map(realPathOrSame));
    // The call waits for the texts only: servers start beside it.
    const texts = new Map(known.map((path) => [path, fileText(path)]));
    baseline.add(this.#note(baseline, texts, cwd));
  }

  async after(edits: BatchEdits, signal: AbortSignal): Promise<EditReport | undefined> {
    const { clock, waitMs, level } = this.#options;
    const over = new AbortController();
    const late = clock.sleep(waitMs(), AbortSignal.any([signal, over.signal])).then(() => undefined);
    try {
      const reports = await this.#reports(edits, late);
      return signal.aborted ? undefined : checksReport(reports, { cwd: edits.cwd, level: level() });
    } finally {
      over.abort();
    }
  }

  /** It is in the next verdict. */
  late(): undefined {
    return undefined;
  }

  /** The reports that are there before it is late. */
  async #reports(edits: BatchEdits, late: Promise<undefined>): Promise<FileReport[]> {
    const baseline = this.#baseline(edits.agentId, edits.turnId);
    const jobs = await Promise.race([this.#jobs(edits, baseline), late]);
    if (!jobs)
      return this.#known(edits.paths).map((path) => ({ server: "a language server", path, result: { why: LATE } }));
    const reports = await Promise.all(
      jobs.map(async (job) => (await Promise.race([reportOf(job, baseline), late])) ?? lateReport(job)),
    );
    return reports
      .filter((report) => report !== undefined && this.#isNews(report))
      .flatMap((each) => each?.report ?? []);
  }

  async #jobs(edits: BatchEdits, baseline: FindingRecord): Promise<Job[]> {
    const { servers } = this.#options;
    await baseline.noted;
    const texts = this.#changedTexts(edits);
    const edited = new Map<LanguageServer, CheckedText[]>();
    for (const [path, text] of texts) {
      for (const server of await servers.of(path, edits.cwd)) {
        if (text === undefined) server.forget(path);
        else edited.set(server, [...(edited.get(server) ?? []), { path, text }]);
      }
    }
    const changes = [...texts].map(([path, text]) => changeOf(path, text, baseline));
    for (const server of servers.all) server.noteChanges(changes);
    return [...edited].flatMap(([server, own]) => {
      const all = [...own, ...others(server, [...texts.keys()])];
      const verdicts = server.check(all);
      return verdicts.map(
        (verdict, at): Job => ({ server, path: all[at]?.path ?? "", verdict, isEdited: at < own.length }),
      );
    });
  }

  /** The texts of the changed files; undefined: the file was removed. Commands may have changed any open file. */
  #changedTexts({ paths, commands }: BatchEdits): Map<string, string | undefined> {
    const texts = new Map<string, string | undefined>();
    for (const path of this.#known(paths)) texts.set(path, fileText(path));
    for (const server of commands ? this.#options.servers.all : []) {
      for (const document of server.documents.all) {
        const text = texts.has(document.path) ? document.text : fileText(document.path);
        if (text !== document.text) texts.set(document.path, text);
      }
    }
    return texts;
  }

  /** The files that change and those that servers have open, each server at once: the one may depend on the other. */
  async #note(baseline: FindingRecord, texts: ReadonlyMap<string, string | undefined>, cwd: string): Promise<void> {
    const { servers } = this.#options;
    const changing = new Map<LanguageServer, CheckedText[]>(servers.all.map((server) => [server, []]));
    for (const [path, text] of texts) {
      for (const server of await servers.of(path, cwd)) {
        if (text === undefined) baseline.noteNew(server, path);
        else changing.set(server, [...(changing.get(server) ?? []), { path, text }]);
      }
    }
    for (const [server, own] of changing) baseline.note(server, [...own, ...others(server, [...texts.keys()])]);
  }

  #known(paths: readonly string[]): string[] {
    return paths.filter((path) => this.#options.servers.knows(path)).slice(0, MAX_FILES);
  }

  #isNews({ server, report }: JobReport): boolean {
    const { result } = report;
    if ("findings" in result || (server.state !== "given-up" && result.why !== VERSIONLESS)) return true;
    const isNews = !this.#saidOnce.has(server);
    this.#saidOnce.add(server);
    return isNews;
  }

  #baseline(agentId: string, turnId: string): FindingRecord {
    const known = this.#baselines.get(agentId);
    if (known?.turnId === turnId) return known;
    const baseline = new FindingRecord(turnId);
    this.#baselines.delete(agentId);
    this.#baselines.set(agentId, baseline);
    const [oldest] = this.#baselines.keys();
    if (this.#baselines.size > MAX_AGENTS && oldest !== undefined) this.#baselines.delete(oldest);
    return baseline;
  }
}

const LATE = "did not answer in time";

type JobReport = { server: LanguageServer; report: FileReport };

/** Undefined if it says nothing about the edits. */
async function reportOf(job: Job, baseline: FindingRecord): Promise<JobReport | undefined> {
  const { server, path, isEdited } = job;
  const verdict = await job.verdict;
  const from = { server: server.name, path };
  if ("why" in verdict) return isEdited ? { server, report: { ...from, result: verdict } } : undefined;
  const before = await baseline.of(server, path);
  if (!before && !isEdited) return undefined;
  const findings = before ? newFindings(before, verdict.findings) : verdict.findings;
  return { server, report: { ...from, result: { findings, isAll: before === undefined } } };
}

function lateReport({ server, path, isEdited }: Job): JobReport | undefined {
  const why = server.state === "starting" ? "is still starting" : LATE;
  return isEdited ? { server, report: { server: server.name, path, result: { why } } } : undefined;
}

function changeOf(path: string, text: string | undefined, baseline: FindingRecord) {
  const type = text === undefined ? 3 : baseline.isNew(path) ? 1 : 2;
  return { uri: pathToFileURL(path).href, type } as const;
}
