import { fold, type StoredFact } from "@harness/protocol";
import { type AppState, initialState } from "../src/state/app-state.ts";
import { createStore } from "../src/state/store.ts";
import { textOfRow } from "../src/text/style.ts";
import { painterOf } from "./painter.ts";

export const FRAME_AT = "2026-11-21T14:30:22.000Z";
const WALL_MS = Date.parse(FRAME_AT) + 12_000;

export type FrameSize = readonly [columns: number, rows: number];

export function sessionOf(...facts: StoredFact["update"][]) {
  return fold(
    "s1",
    facts.map((update, index) => ({ seq: index + 1, at: FRAME_AT, agentId: "main", update })),
  );
}

export const asking: readonly StoredFact["update"][] = [
  { sessionUpdate: "user_message", messageId: "m1", origin: "user", content: [{ type: "text", text: "fix the test" }] },
  { sessionUpdate: "state_update", state: "requires_action" },
];

/** Chat with a turn that waits for an answer. */
export function waitingChat([columns, rows]: FrameSize): AppState {
  return {
    ...initialState({ cwd: "/work/demo", version: "1.2.3", size: { columns, rows } }),
    screen: "chat",
    session: sessionOf(...asking),
    turnSinceMs: 0,
    link: { status: "ready" },
    hud: { permissionMode: "default", agentsRunning: 0, queued: 0 },
  };
}

/** The frame of `waitingChat` with `changes`. */
export function frameOf(size: FrameSize, changes: Partial<AppState>): string[] {
  const state = { ...waitingChat(size), ...changes };
  const painter = painterOf(createStore(state), { wallMs: WALL_MS });
  const lines = painter.draw().rows.map((row) => textOfRow(row).trimEnd());
  painter.close();
  return lines;
}
