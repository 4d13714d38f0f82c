import { pathToFileURL } from "node:url";
import type { EditChecks, EditReport, FileEdits } from "@harness/core";
import type { Clock } from "@harness/gate";
import { realPathOrSame } from "@harness/host";
import { newFindings } from "../findings/new-findings.ts";
import { fileText, stagedText, type TextOfFile } from "../pool/file-text.ts";
import { type CheckedText, type FileOutcome, type LanguageServer, VERSIONLESS } from "../pool/language-server.ts";
import type { LanguageServers } from "../pool/language-servers.ts";
import { checksReport, type FileReport } from "./checks-report.ts";
import type { DiskLooks, NotedChange } from "./disk-looks.ts";
import { FindingRecord, others } from "./finding-record.ts";
import { LateReports } from "./late-reports.ts";

export type ServerChecksOptions = {
  readonly servers: LanguageServers;
  readonly clock: Clock;
  readonly disk: DiskLooks;
  /** Asked for each check. */
  level(): "errors" | "all";
  waitMs(): number;
};

/** More files of one batch are not checked. */
const MAX_FILES = 20;
/** A look at the disk is not waited for longer. */
const LOOK_MS = 400;
/** Agents whose last turn is remembered. */
const MAX_AGENTS = 200;

type BatchEdits = FileEdits & { readonly commands: boolean };
/** The texts before a change: of the files that change (undefined: there is none), and of others that servers have open. */
type TextsBefore = {
  texts: ReadonlyMap<string, string | undefined>;
  open: ReadonlyMap<LanguageServer, readonly CheckedText[]>;
  cwd: string;
  read: TextOfFile;
};
/** `isEdited`: by this batch; otherwise it may have been broken by it. */
type Job = { server: LanguageServer; path: string; verdict: Promise<FileOutcome>; isEdited: boolean };

/** Checks what the agents of a session change with the language servers of its folder. */
export class ServerChecks implements EditChecks {
  readonly #options: ServerChecksOptions;
  readonly #baselines = new Map<string, FindingRecord>();
  readonly #late = new LateReports();
  /** Servers that will not check anything, which is said once. */
  readonly #saidOnce = new Set<LanguageServer>();

  constructor(options: ServerChecksOptions) {
    this.#options = options;
  }

  async before({ agentId, turnId, cwd, paths, staged }: FileEdits): Promise<void> {
    this.#late.forget(agentId);
    const isFirst = this.#baselines.get(agentId)?.turnId !== turnId;
    const baseline = this.#baseline(agentId, turnId);
    const known = this.#known(paths.map(realPathOrSame));
    // The call waits for the texts only: servers start beside it.
    const read = stagedText(staged);
    const texts = new Map(known.map((path) => [path, read(path)]));
    const open = new Map(this.#options.servers.all.map((server) => [server, others(server, known, read)]));
    const looked = isFirst && open.size + known.length > 0 ? this.#look(cwd, new Set(known)) : Promise.resolve();
    baseline.add(looked.then(() => this.#note(baseline, { texts, open, cwd, read })));
    // A command may change any file: what it changes must not be seen as the state before it.
    if (paths.length === 0 && open.size > 0) await looked;
  }

  async after(edits: BatchEdits, signal: AbortSignal): Promise<EditReport | undefined> {
    const { clock, waitMs, level } = this.#options;
    const over = new AbortController();
    const late = clock.sleep(waitMs(), AbortSignal.any([signal, over.signal])).then(() => undefined);
    try {
      const reports = await this.#reports(edits, late);
      if (signal.aborted) this.#late.forget(edits.agentId);
      return signal.aborted ? undefined : checksReport(reports, { cwd: edits.cwd, level: level() });
    } finally {
      over.abort();
    }
  }

  reviewed(): void {
    for (const server of this.#options.servers.all) {
      const open = others(server, [], fileText);
      if (server.documents.all.some(({ isSaved }) => !isSaved)) server.check(open);
    }
  }

  late({ agentId }: Pick<FileEdits, "agentId">): EditReport | undefined {
    const late = this.#late.take(agentId);
    // The others were named in the result of the edits.
    const reports = late?.reports.filter(({ result }) => "findings" in result) ?? [];
    return late && checksReport(reports, { cwd: late.cwd, level: this.#options.level(), isLate: true });
  }

  /** The reports that are there before it is late; the others are kept. */
  async #reports(edits: BatchEdits, late: Promise<undefined>): Promise<FileReport[]> {
    const { agentId, turnId, cwd } = edits;
    const baseline = this.#baseline(agentId, turnId);
    const begun = this.#jobs(edits, baseline);
    const jobs = await Promise.race([begun, late]);
    if (!jobs) {
      const all = begun.then((each) => Promise.all(each.map((job) => reportOf(job, baseline))));
      this.#late.wait(
        agentId,
        cwd,
        all.then((reports) => this.#news(reports)),
      );
      return this.#known(edits.paths).map((path) => ({ server: "a language server", path, result: { why: LATE } }));
    }
    const missing: Promise<JobReport | undefined>[] = [];
    const reports = jobs.map(async (job) => {
      const report = reportOf(job, baseline);
      const inTime = await Promise.race([report.then((known) => ({ known })), late]);
      if (!inTime) missing.push(report);
      return inTime ? inTime.known : lateReport(job);
    });
    const known = this.#news(await Promise.all(reports));
    if (missing.length > 0)
      this.#late.wait(
        agentId,
        cwd,
        Promise.all(missing).then((each) => this.#news(each)),
      );
    return known;
  }

  #news(reports: readonly (JobReport | undefined)[]): FileReport[] {
    return reports.flatMap((each) => (each && this.#isNews(each) ? [each.report] : []));
  }

  async #jobs(edits: BatchEdits, baseline: FindingRecord): Promise<Job[]> {
    const { servers } = this.#options;
    await baseline.noted;
    const read = stagedText(edits.staged);
    const texts = this.#changedTexts(edits, read);
    const found = edits.commands ? await this.#look(edits.cwd, new Set(texts.keys())) : [];
    for (const path of this.#known(found.flatMap(({ path, how }) => (how === "created" ? [path] : []))))
      texts.set(path, read(path));
    // A command may break what is open.
    const edited = new Map<LanguageServer, CheckedText[]>(
      found.length > 0 ? servers.all.map((each) => [each, []]) : [],
    );
    for (const [path, text] of texts) {
      for (const server of await servers.of(path, edits.cwd)) {
        if (found.some((change) => change.path === path)) baseline.noteNew(server, path);
        if (text === undefined) server.forget(path);
        else edited.set(server, [...(edited.get(server) ?? []), { path, text }]);
      }
    }
    const changes = [...texts]
      .filter(([path]) => !edits.staged?.has(path))
      .map(([path, text]) => watchedChange(changeOf(path, text, baseline)));
    for (const server of servers.all) server.noteChanges(changes);
    return [...edited].flatMap(([server, own]) => {
      const all = [...own, ...others(server, [...texts.keys()], read)];
      const verdicts = server.check(all, read);
      return verdicts.map(
        (verdict, at): Job => ({ server, path: all[at]?.path ?? "", verdict, isEdited: at < own.length }),
      );
    });
  }

  /** The texts of the changed files; undefined: the file was removed. Commands may have changed any open file. */
  #changedTexts({ paths, commands, staged }: BatchEdits, read: TextOfFile): Map<string, string | undefined> {
    const texts = new Map<string, string | undefined>();
    // Other staged files may have been closed, or were staged before the session was opened again.
    for (const path of this.#known([...paths, ...(staged?.keys() ?? [])])) texts.set(path, read(path));
    for (const server of commands ? this.#options.servers.all : []) {
      for (const document of server.documents.all) {
        const text = texts.has(document.path) ? document.text : read(document.path);
        if (text !== document.text) texts.set(document.path, text);
      }
    }
    return texts;
  }

  /**
   * Tells servers what has changed on disk since the last look, whoever did it, except in `known` files. Slow looks go on:
   * servers hear of them later. Resolves with what was found in time.
   */
  async #look(cwd: string, known: ReadonlySet<string>): Promise<readonly NotedChange[]> {
    const { servers, disk, clock } = this.#options;
    const looked = disk.since(cwd).then((all) => {
      const changes = all.filter(({ path }) => !known.has(path));
      for (const server of servers.all) server.noteChanges(changes.map(watchedChange));
      return changes;
    });
    const over = new AbortController();
    const late = clock.sleep(LOOK_MS, over.signal).then(() => []);
    return await Promise.race([looked, late]).finally(() => over.abort());
  }

  /** The files that change and those that servers have open, each server at once: the one may depend on the other. */
  async #note(baseline: FindingRecord, { texts, open, cwd, read }: TextsBefore): Promise<void> {
    const before = new Map<LanguageServer, readonly CheckedText[]>(open);
    for (const [path, text] of texts) {
      for (const server of await this.#options.servers.of(path, cwd)) {
        if (text === undefined) baseline.noteNew(server, path);
        else before.set(server, [{ path, text }, ...(before.get(server) ?? [])]);
      }
    }
    for (const [server, all] of before) baseline.note(server, all, read);
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
  if (!isEdited && findings.length === 0) return undefined;
  return { server, report: { ...from, result: { findings, isAll: before === undefined } } };
}

function lateReport({ server, path, isEdited }: Job): JobReport | undefined {
  const why = server.state === "starting" ? "is still starting" : LATE;
  return isEdited ? { server, report: { server: server.name, path, result: { why } } } : undefined;
}

function changeOf(path: string, text: string | undefined, baseline: FindingRecord): NotedChange {
  return { path, how: text === undefined ? "removed" : baseline.isNew(path) ? "created" : "changed" };
}

/** FileChangeType of the protocol. */
const changeTypes = { created: 1, changed: 2, removed: 3 } as const;

function watchedChange({ path, how }: NotedChange) {
  return { uri: pathToFileURL(path).href, type: changeTypes[how] };
}
