import type { BackgroundProcessView } from "@harness/protocol";
import { expect, it } from "vitest";
import { FRAME_AT, frameOf, sessionOf } from "../../../test/frame.ts";
import { farewell } from "../../app/last-screens.ts";
import { initialState } from "../../state/app-state.ts";

const started = (processId: string, command: string, state: BackgroundProcessView["state"] = "running") =>
  ({
    sessionUpdate: "process_update",
    processId,
    command,
    state,
    startedAt: FRAME_AT,
    kept: false,
    outputPath: "/tmp/out",
  }) as const;

function strip(...facts: Parameters<typeof sessionOf>): string | undefined {
  return frameOf([80, 24], { session: sessionOf(...facts) }).find((line) => line.includes("background"));
}

it("a command that goes on in the background has a row above the input, until it ends", () => {
  expect(strip(started("p1", "npm run dev"))).toBe(
    " ▹ 1 command in the background · p1: npm run dev · 12 s · /ps shows it",
  );
  expect(strip(started("p1", "npm run dev"), started("p2", `tail\u001b[2J -f ${"x".repeat(80)}`))).toMatch(
    /^ ▹ 2 commands in the background · p2: tail -f x+… · 12 s · \/ps shows them$/,
  );
  expect(strip(started("p1", "npm run dev"), started("p1", "npm run dev", "stopped"))).toBeUndefined();
});

it("a command that ends with the window is named in the shell", () => {
  const state = initialState({ cwd: "/w", version: "1", size: { columns: 80, rows: 24 } });
  const facts = [started("p1", "npm run\u001b[2J dev"), started("p2", "true"), started("p2", "true", "exited")];
  expect(farewell({ ...state, session: sessionOf(...facts) })[0]).toBe(
    "Ended, as it ran in the background: npm run dev",
  );
});
