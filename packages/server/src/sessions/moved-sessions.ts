import { statSync } from "node:fs";
import type { SessionHeader, SessionLog, SessionStore } from "@harness/core";
import type { Clock } from "@harness/gate";
import {
  type FolderLocation,
  protocolError,
  type Result,
  ROOT_AGENT,
  type ServerMethods,
  type SessionSummary,
} from "@harness/protocol";
import { commitsIn, folderPlace, randomIds, requireDirectory } from "@harness/workspace";
import { orThrow } from "./store-errors.ts";

type MovedSession = Result<ServerMethods, "session/moved">["sessions"][number];

/** How many sessions to examine whose folder may have been a different one. */
const MAX_LOOKED_AT = 500;
const MAX_SHOWN = 10;

/** Throws `folder_gone`: tools would work in the wrong place, or nowhere. */
export function needFolder({ sessionId, cwd }: SessionHeader): void {
  if (isFolder(cwd)) return;
  const what = cwd === "" ? "is not known" : `is gone: ${cwd} does not exist`;
  throw protocolError("folder_gone", `The folder of session ${sessionId} ${what}.`, { sessionId, cwd });
}

/** A session follows its folder; it cannot be moved while that exists. */
export function refuseMove({ sessionId, cwd: now }: SessionHeader, cwd: string | undefined): void {
  if (cwd === undefined || cwd === now) return;
  throw protocolError(
    "conflict",
    `Session ${sessionId} works in ${now}, which still exists, so it was not moved to ${cwd}.`,
    {},
  );
}

/** Stored sessions whose folders were moved. */
export class MovedSessions {
  readonly #store: SessionStore;
  readonly #clock: Pick<Clock, "now">;

  constructor(store: SessionStore, clock: Pick<Clock, "now">) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Moves the session to `cwd`; returns its former folder, or undefined if it is there already. */
  async takeAlong(sessionId: string, cwd: string): Promise<string | undefined> {
    await requireDirectory(cwd);
    const { log } = orThrow(this.#store.open(sessionId));
    try {
      const { cwd: from } = log.header;
      if (from === cwd) return undefined;
      if (isFolder(from)) refuseMove(log.header, cwd);
      const place = await folderPlace(cwd);
      const at = new Date(this.#clock.now()).toISOString();
      recordMove(log, { cwd, from, place }, { text: moveText({ cwd, from }), at });
      return from;
    } finally {
      log.close();
    }
  }

  /** Sessions whose folder no longer exists and may now be this one, the most certain first. */
  async here(cwd: string): Promise<MovedSession[]> {
    const { sessions } = await this.#store.list({ limit: MAX_LOOKED_AT });
    const gone = goneOf(sessions);
    if (gone.length === 0) return [];
    const here = await folderPlace(cwd);
    const known = gone.flatMap(({ place }) => place?.commit ?? []);
    const commits = await commitsIn(cwd, known);
    const found = gone.map((session): MovedSession => ({ session, same: sameness(session.place, here, commits) }));
    const of = (wanted: MovedSession["same"]) => found.filter(({ same }) => same === wanted);
    return [...of("folder"), ...of("repository"), ...of("unknown").slice(0, 1)].slice(0, MAX_SHOWN);
  }
}

type FolderMove = { cwd: string; from: string; place: FolderLocation | undefined };

/** Records that a session works in a new folder, with a note to the model. */
export function recordMove(
  log: SessionLog,
  { place, ...move }: FolderMove,
  { text, at }: { text: string; at: string },
): void {
  const update = { sessionUpdate: "folder_update", ...move, ...(place && { place }) } as const;
  log.append({ agentId: ROOT_AGENT, at, update });
  const content = [{ type: "text", text } as const];
  const messageId = randomIds.next("message");
  const note = { sessionUpdate: "user_message", messageId, content, origin: "harness" } as const;
  log.append({ agentId: ROOT_AGENT, at, update: note });
}

function moveText({ cwd, from }: Pick<FolderMove, "cwd" | "from">): string {
  const was =
    from === "" ? "The folder of this session is" : `The folder of this session, ${from}, no longer exists. It is`;
  return `[A note from harness, not from the person: ${was} ${cwd} now. Paths above are those of the old place; read files again before you change them.]`;
}

/** Checks each folder once, because many sessions share one. */
function goneOf(sessions: readonly SessionSummary[]): SessionSummary[] {
  const isThere = new Map<string, boolean>();
  return sessions.filter(({ cwd, state }) => {
    if (cwd === "" || state !== "stored") return false;
    const known = isThere.get(cwd) ?? isFolder(cwd);
    isThere.set(cwd, known);
    return !known;
  });
}

function sameness(
  place: FolderLocation | undefined,
  here: FolderLocation | undefined,
  commits: ReadonlySet<string>,
): MovedSession["same"] {
  if (!place || !here) return "unknown";
  if (place.id === here.id) return "folder";
  const isSame = place.commit !== undefined && commits.has(place.commit) && place.below === here.below;
  return isSame ? "repository" : "unknown";
}

function isFolder(path: string): boolean {
  try {
    return path !== "" && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
