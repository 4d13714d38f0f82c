import { applyUpdate, emptySession, type Hud, type SessionUpdate } from "@harness/protocol";
import { updateViewContract } from "@harness/testkit";
import type { GitCounts, ModelCatalog } from "@harness/workspace";
import { afterAll, beforeAll, vi } from "vitest";
import type { LiveEntry } from "../sessions/live-entry.ts";
import { HudPublisher } from "./hud-publisher.ts";

beforeAll(() => vi.useFakeTimers());
afterAll(() => vi.useRealTimers());

const models = {
  choose: () => Promise.resolve({ problem: "no_model", sentence: "There is no model." }),
} as unknown as ModelCatalog;

updateViewContract({
  name: "the display of a session",
  open() {
    const state = emptySession("s1");
    let sent: Hud | undefined;
    const peer = {
      notify(_method: string, { hud }: { hud: Hud }) {
        sent = hud;
      },
    };
    let changedFiles = 0;
    const gitCounts = (): Promise<GitCounts> => Promise.resolve({ branch: "main", added: 0, removed: 0, changedFiles });
    const entry = {
      session: {
        ...{ sessionId: "s1", state, permissionMode: "default", mode: "agent", context: () => undefined },
        edits: { count: () => Promise.resolve({ files: 0 }) },
      },
      log: { header: { cwd: "/project" } },
      subscribers: { clients: [{ peer }] },
      workspace: {
        files: {
          gitCounts,
          list: { watch: () => Promise.resolve(() => undefined) },
          diagnostics: { counts: { errors: 0, warnings: 0 } },
        },
        settings: { values: { statusline: "" } },
        safety: { egress: { localOnly: false } },
        index: {},
      },
      sandbox: { wanted: "off" },
      mcp: { entries: [] },
    } as unknown as LiveEntry;
    const publisher = new HudPublisher({ models, sandboxes: { create: () => entry.sandbox }, version: "1" });
    publisher.onOpened(entry);
    const see = (update: SessionUpdate): void => {
      applyUpdate(state, update);
      // A call changes a file.
      if (update.update.sessionUpdate === "tool_call_update" && update.update.outcome) changedFiles += 1;
      publisher.see(update);
    };
    const kept = async () => {
      await vi.advanceTimersByTimeAsync(1_000);
      return sent;
    };
    return { view: { see }, kept };
  },
});
