import type { SessionSummary, WaitingServer } from "@harness/protocol";
import { slice } from "../../state/slice.ts";
import type { Store } from "../../state/store.ts";
import { within } from "../../widgets/list-slice.ts";
import type { ScreenHost } from "../screen.ts";

/** Home's list is a glance; History has all. */
const MAX_RECENT = 9;

type HomeState = {
  readonly recent: readonly SessionSummary[] | undefined;
  /** The marked row of the list; undefined: none. */
  readonly marked: number | undefined;
  /** Local servers that harness waits for. */
  readonly waiting: readonly WaitingServer[];
};

export const homeSlice = slice<HomeState>(
  "home",
  { recent: undefined, marked: undefined, waiting: [] },
  ({ recent, marked, waiting }) => ({
    recent,
    marked: marked === undefined || !recent?.length ? undefined : within(marked, recent.length),
    waiting,
  }),
);

export function unmark(store: Store): void {
  if (homeSlice.of(store.get()).marked !== undefined) homeSlice.change(store, { marked: undefined });
}

/** Without an answer the list stays as it is. */
export async function loadRecent({ store, server }: Pick<ScreenHost, "store" | "server">): Promise<void> {
  const { cwd } = store.get();
  const found = await server.call("session/list", { cwd, limit: MAX_RECENT }).catch(() => undefined);
  if (found) homeSlice.change(store, { recent: found.sessions });
}
