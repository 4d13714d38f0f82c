import {
  type FactPages,
  lastFactOf,
  type OpenedReplay,
  type OtherFate,
  type RebuiltRequest,
  type RecordedOpening,
  type RecordedRequest,
  type ReplayAddress,
  type ReplayWatch,
  replayLog,
  runReplay,
  type SessionHeader,
} from "@harness/core";
import { errorCode } from "@harness/host";
import {
  amount,
  localTime,
  newSessionDigest,
  protocolError,
  type ReplayDifference,
  type Result,
  type ServerMethods,
} from "@harness/protocol";
import {
  type ModelCatalog,
  readRequestFile,
  requestFilePath,
  sessionResources,
  textHash,
  type Workspace,
  type Workspaces,
} from "@harness/workspace";
import { MessageMarks } from "../recording/message-marks.ts";
import { needFolder } from "../sessions/moved-sessions.ts";
import type { SessionOpenerOptions } from "../sessions/session-opener.ts";
import { sessionOptions } from "../sessions/session-options.ts";
import type { SessionReader } from "../sessions/stored/session-reader.ts";
import { differingField, differingPart, type PartDifference } from "./compare-requests.ts";
import { recordedRequests, type StoredRequest } from "./recorded-requests.ts";
import { replayTools } from "./replay-tools.ts";
import { notesOn } from "./uncompared.ts";

/** The parts of the server that a replay needs. */
export type ReplayDeps = Pick<SessionOpenerOptions, "runtime" | "modePrompts" | "share" | "stored"> & {
  models: Pick<ModelCatalog, "write">;
  reader: Pick<SessionReader, "pages">;
  workspaces: Workspaces;
};

type Reading = { header: SessionHeader; pages: FactPages; savedTexts: readonly string[] };
type Report = Result<ServerMethods, "session/replay">;

const MAX_DIFFERENCES = 20;

/** Replays a stored session. Throws a `ProtocolError` if there is none, or none that was recorded. */
export async function replayStored(deps: ReplayDeps, wanted: string, signal: AbortSignal): Promise<Report> {
  const reading = await deps.reader.pages(wanted);
  const { header, pages } = reading;
  const path = requestFilePath(reading.savedTexts);
  const { requests, broken } = recordedRequests(path === undefined ? NOTHING : recordAt(path));
  const { sessionId } = header;
  if (requests.length === 0) {
    throw protocolError("not_found", notRecorded(sessionId, broken), { what: "record of requests", id: sessionId });
  }
  needFolder(header);
  const workspace = deps.workspaces.at(header.cwd);
  const moved = lastFactOf(pages, "folder_update")?.seq ?? 0;
  // Its rules, and much of its text, were those of another folder.
  const compared = requests.filter(({ request }) => request.after >= moved);
  const replay = new StoredReplay(deps, { ...reading, workspace }, compared);
  await runReplay({
    pages,
    requests: compared.map(({ request }) => request),
    open: (opening, before) => replay.open(opening, before),
    watch: replay,
    signal,
  });
  if (signal.aborted) throw protocolError("cancelled", "The replay was stopped.");
  return replay.report(notesOn({ header, pages, requests, broken, moved: requests.length - compared.length }));
}

const NOTHING: ReturnType<typeof readRequestFile> = { entries: [], texts: new Map(), bad: 0 };

/** Throws a `ProtocolError` about a file that is too large or none, and file system errors. */
function recordAt(path: string): typeof NOTHING {
  try {
    return readRequestFile(path);
  } catch (error) {
    if (errorCode(error) !== undefined || !(error instanceof Error)) throw error;
    throw protocolError("storage_failed", `${path} cannot be replayed: ${error.message}.`);
  }
}

function notRecorded(sessionId: string, broken: number): string {
  if (broken > 0) return `The record of what session ${sessionId} has sent is damaged: it cannot be replayed.`;
  return `Session ${sessionId} cannot be replayed: there is no record of its requests. Sessions of older versions have none, and imported ones.`;
}

type ReplayedSession = Reading & { workspace: Workspace };

/** One session, as it is replayed. */
class StoredReplay implements ReplayWatch {
  readonly #deps: ReplayDeps;
  readonly #session: ReplayedSession;
  readonly #stored: ReadonlyMap<RecordedRequest, StoredRequest>;
  readonly #marks = new MessageMarks();
  readonly #differences: ReplayDifference[] = [];
  readonly #unproven = new Map<string, number>();
  #now: RecordedRequest | undefined;
  #counts = { turns: 0, requests: 0, exact: 0, calls: 0, differing: 0 };

  constructor(deps: ReplayDeps, session: ReplayedSession, requests: readonly StoredRequest[]) {
    this.#deps = deps;
    this.#session = session;
    this.#stored = new Map(requests.map((stored) => [stored.request, stored]));
  }

  open({ allow, deny, additionalDirectories, customInstructions }: RecordedOpening, before: number): OpenedReplay {
    const { runtime, modePrompts, share, stored } = this.#deps;
    const { header, pages, workspace, savedTexts } = this.#session;
    const rules = { allow: [...allow], deny: [...deny] };
    const asked = { rules, additionalDirectories: [...additionalDirectories], customInstructions };
    const loaded = { header, ...pagesBefore(pages, before) };
    const options = sessionOptions(() => workspace.settings.current, asked, { loaded });
    const resources = sessionResources(workspace, share, {
      ...{ header, rules: options.rules, additionalDirectories, mcp: undefined, buffers: undefined },
      // A place, so that the session has the tools of one that is stored; nothing is put there.
      location: { folder: "", log: "" },
      permissionMode: options.values().permission_mode,
      live: { config: () => ({}), warn: () => undefined },
    });
    const { gate, tools, files, requests } = resources;
    const digest = newSessionDigest(header);
    const hide = (text: string) => workspace.safety.redactor().hide(text);
    const silent = { decided: () => true, ended: () => undefined, failure: () => undefined };
    const nobody = {
      ...{ canAsk: () => false, canAskQuestion: () => false },
      askPermission: async () => ({ outcome: { outcome: "cancelled" as const }, by: "replay" }),
      askQuestion: async () => ({ unanswered: "withdrawn" as const }),
    };
    return {
      ports: {
        log: replayLog({ header, savedTexts, digest, read: pages.read.bind(pages) }),
        runtime,
        gate: { ...gate, asker: nobody, audit: silent },
        tools: replayTools(tools, () => this.#now?.served ?? []),
        files,
        requests: {
          ...requests,
          ...this.#sourcesThen(requests.workspace),
          today: () => localTime(runtime.clock.now()).date,
          spentToday: () => 0,
          modePrompts: modePrompts.stored,
          watchSent: () => () => undefined,
          watchBeside: () => () => undefined,
        },
        sessions: { ...stored, hide },
        emit: () => undefined,
      },
      options,
      // Without a folder: what hooks write to stderr goes nowhere.
      extensions: workspace.brought.hooks.extensions({ header, location: undefined }),
    };
  }

  before(recorded: RecordedRequest): void {
    this.#now = recorded;
  }

  async request(recorded: RecordedRequest, rebuilt: RebuiltRequest | { problem: string }, place: ReplayAddress) {
    this.#count(place);
    this.#counts.requests += 1;
    const stored = this.#stored.get(recorded);
    if ("problem" in rebuilt) this.#differs(place, "request", { where: "request", what: rebuilt.problem });
    else if (stored) {
      const part = differingPart(stored, rebuilt, this.#marks) ?? (await this.#differingBody(stored, rebuilt));
      if (part) this.#differs(place, "request", part);
    }
  }

  call(other: OtherFate | undefined, place: ReplayAddress): void {
    this.#count(place);
    this.#counts.calls += 1;
    if (!other) return;
    const { title, recorded, now, why } = other;
    const words = { ran: "It ran unasked.", asked: "A person was asked.", denied: "It was denied." };
    const after = now === "answered" ? `It would not run: ${why}` : why;
    const what = "This call would be decided differently.";
    this.#differs(place, "call", { where: title, what, recorded: words[recorded], now: after });
  }

  report(notes: readonly string[]): Report {
    const unproven = [...this.#unproven].map(
      ([why, count]) => `${amount(count, "request")} compared part by part: ${why}`,
    );
    const { sessionId } = this.#session.header;
    return { sessionId, ...this.#counts, differences: this.#differences, notes: [...unproven, ...notes] };
  }

  /** Parts that are all the same give the same bytes, unless the provider's settings have changed. */
  async #differingBody(stored: StoredRequest, { request }: RebuiltRequest): Promise<PartDifference | undefined> {
    const { request: then, form, sha256 } = stored;
    const { agentId, provider, toolMode, contextWindow, effort, maxOutputTokens } = then;
    if (!form) return this.#unprovenBy("a program wrote them.");
    const lane = `${this.#session.header.sessionId}/${agentId}`;
    const limits = {
      ...(contextWindow === undefined ? {} : { contextWindow }),
      ...(effort === undefined ? {} : { effort }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    };
    const { refused, slot, withoutImages } = form;
    const before = { provider, toolMode, refused, slot, withoutImages };
    const { workspace } = this.#session;
    const written = await this.#deps.models.write({ ...request, ...limits, lane, priority: "turn" }, before, workspace);
    if ("problem" in written) return this.#unprovenBy(written.problem);
    if (textHash(written.text) === sha256) {
      this.#counts.exact += 1;
      return undefined;
    }
    if (form.isOther) return this.#unprovenBy("their server had refused the usual form.");
    const what = "The bytes differ, while all parts are the same.";
    return differingField(form.fields, written.fields) ?? { where: "body", what };
  }

  #unprovenBy(why: string): undefined {
    this.#unproven.set(why, (this.#unproven.get(why) ?? 0) + 1);
  }

  /** The system text says about the folder, as it said then. */
  #sourcesThen(now: OpenedReplay["ports"]["requests"]["workspace"]) {
    const { cwd } = this.#session.header;
    const then = () => this.#now?.folder;
    return {
      // A log could name any folder: only the session's own is looked at.
      workspace: async (folder = cwd) => then()?.workspaces[folder] ?? (await now(cwd)),
      repositoryMap: async () => [...(then()?.map ?? [])],
      pinnedFile: async ({ path }: { path: string }) =>
        then()?.pinned[path] ?? { problem: "is not in the record of this session" },
    };
  }

  #count({ turn }: ReplayAddress): void {
    this.#counts.turns = Math.max(this.#counts.turns, turn);
  }

  #differs({ turn, request, agentId }: ReplayAddress, kind: ReplayDifference["kind"], part: PartDifference): void {
    this.#counts.differing += 1;
    if (this.#differences.length >= MAX_DIFFERENCES) return;
    const hide = (text: string) => this.#session.workspace.safety.redactor().hide(text);
    const { where, what, recorded, now } = part;
    this.#differences.push({
      ...{ turn, request, agentId, kind, where: hide(where), what: hide(what) },
      ...(recorded === undefined ? {} : { recorded: hide(recorded) }),
      ...(now === undefined ? {} : { now: hide(now) }),
    });
  }
}

function pagesBefore(pages: FactPages, limit: number): FactPages {
  return {
    read(range = {}) {
      const { before = Number.POSITIVE_INFINITY, after = 0 } = range;
      const start = range.before === undefined ? { after } : {};
      return pages.read({ ...range, ...start, before: Math.min(before, limit) });
    },
  };
}
