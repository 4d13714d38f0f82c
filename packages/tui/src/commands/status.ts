import { factLines, sessionFacts } from "@harness/client/actions";
import { modesInForce } from "../state/selectors.ts";
import type { CommandRow } from "./command-row.ts";

export const status: CommandRow = {
  aliases: ["session"],
  description: "This session: model, context window, permissions, folder, changes",
  run({ store }) {
    const state = store.get();
    const { permissionMode, mode: agentMode } = modesInForce(state);
    const sessionId = state.session?.sessionId;
    const modeHint = state.keymap.names.hint("chat.permissionMode", "changes it.");
    const facts = sessionFacts({ ...state, sessionId, permissionMode, agentMode, modeHint });
    store.set({ overlay: { kind: "text", title: "Status", text: factLines(facts), scroll: 0 } });
  },
};
