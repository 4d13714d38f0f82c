import { type SetupOption, setupOptions } from "@harness/client";
import type { Result, ServerMethods, SessionSummary, WaitingServer } from "@harness/protocol";
import type { AppState } from "../../state/app-state.ts";
import { slice } from "../../state/slice.ts";
import type { Store } from "../../state/store.ts";
import { clampSelection } from "../../widgets/list-slice.ts";
import type { ScreenHost } from "../screen.ts";

/** Home shows only the latest; History has all. */
const MAX_RECENT = 20;

type HomeState = {
  readonly recent: readonly SessionSummary[] | undefined;
  /** The marked row of the list; undefined if none is. */
  readonly marked: number | undefined;
  /** Local servers that harness waits for. */
  readonly waiting: readonly WaitingServer[];
  /** The instruction files, and the commits since the last visit; undefined until the folder may be read. */
  readonly overview: Result<ServerMethods, "workspace/overview"> | undefined;
  /** Programs whose things can be taken over, as long as that is offered. */
  readonly offer?: readonly string[];
};

export const homeSlice = slice<HomeState>("home", {
  recent: undefined,
  marked: undefined,
  waiting: [],
  overview: undefined,
});

/** The ways to get a model, as Home lists them if there is none. */
export function homeOptions({ providers, hud }: Pick<AppState, "providers" | "hud">): SetupOption[] {
  return setupOptions(providers?.views ?? [], { localOnly: hud?.localOnly === true });
}

export function unmark(store: Store): void {
  if (homeSlice.of(store.get()).marked !== undefined) homeSlice.change(store, { marked: undefined });
}

/** If the request fails, the list stays as it is. */
export async function loadRecent({ store, server }: Pick<ScreenHost, "store" | "server">): Promise<void> {
  const { cwd } = store.get();
  const found = await server.call("session/list", { cwd, limit: MAX_RECENT, runsLast: true }).catch(() => undefined);
  if (!found) return;
  const { marked } = homeSlice.of(store.get());
  const recent = found.sessions;
  homeSlice.change(store, { recent, marked: marked === undefined ? undefined : clampSelection(marked, recent.length) });
}

/** When the folder was last worked in before the open session. */
export function lastVisit(state: Pick<AppState, "slices"> & { sessionId?: string | undefined }): string | undefined {
  return homeSlice.of(state).recent?.find(({ sessionId }) => sessionId !== state.sessionId)?.updatedAt;
}

/** The offer to take things over from other programs. If the request fails, there is none. */
export async function loadOffer({ store, server }: Pick<ScreenHost, "store" | "server">): Promise<void> {
  const { programs } = (await server.call("import/offer", {}).catch(() => undefined)) ?? { programs: [] };
  const { offer = [] } = homeSlice.of(store.get());
  if (programs.join() !== offer.join()) homeSlice.change(store, { offer: programs });
}

/** If the request fails, Home stays as it is. */
export async function loadOverview({ store, server }: Pick<ScreenHost, "store" | "server">): Promise<void> {
  const state = store.get();
  const since = lastVisit({ ...state, sessionId: state.session?.sessionId });
  const params = { cwd: state.cwd, ...(since === undefined ? {} : { since }) };
  const overview = await server.call("workspace/overview", params).catch(() => undefined);
  if (overview) homeSlice.change(store, { overview });
}
