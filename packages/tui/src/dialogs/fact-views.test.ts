import type { Permission } from "@harness/protocol";
import { updateViewContract } from "@harness/testkit";
import { initialState } from "../state/app-state.ts";
import { createStore } from "../state/store.ts";
import { AnswerGuard } from "./answer-guard.ts";
import { DialogQueue } from "./dialog-queue.ts";

const permission: Permission = {
  ...{ permissionId: "p1", agentId: "main", toolCallId: "c1", tool: "bash" },
  ...{ title: "Run npm test", reason: "It runs a command.", risk: "medium", effects: [], preview: [] },
  options: [{ optionId: "once", name: "Once", kind: "allow_once" }],
};

const clock = { now: () => 0, wallNow: () => 0, after: () => () => undefined };

updateViewContract({
  name: "the dialogs of the window",
  open() {
    const store = createStore(initialState({ cwd: "/work", version: "1", size: { columns: 80, rows: 24 } }));
    const sight = { acknowledge: () => undefined, endInView: () => undefined };
    const view = new DialogQueue(store, new AnswerGuard(clock), sight);
    void view.askPermission("s1", permission, new AbortController().signal);
    const kept = () => {
      const { dialogs, notes } = store.get();
      return { open: dialogs.map(({ id }) => id), notes: notes.map(({ text }) => text) };
    };
    return { view, kept };
  },
});
