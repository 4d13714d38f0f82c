import { ROOT_AGENT } from "@harness/protocol";
import type { WindowHost } from "../client/window-host.ts";
import type { ComposerScope } from "../composer/composer-scope.ts";
import type { DialogQueue } from "../dialogs/dialog-queue.ts";
import { dialogScope } from "../dialogs/dialog-scope.ts";
import { type Scope, takenBy } from "../keymap/scope.ts";
import type { AgentController } from "../overlays/agents/agent-controller.ts";
import type { SessionController } from "../session/session-controller.ts";
import type { Stopping } from "../session/stopping.ts";
import { agentOf } from "../state/dialogs.ts";
import { frontDialog } from "../state/selectors.ts";
import { foldScope, type Transcript, transcriptEnds, transcriptScope } from "./transcript-scope.ts";
import { chatKeys, windowKeys } from "./window-keys.ts";

export type ConversationParts = Pick<WindowHost, "store"> & {
  session: SessionController;
  /** What takes the person's keys, the dialogs first. */
  input: { dialogs: DialogQueue; composer: ComposerScope };
  transcript: Transcript;
  agents: AgentController;
  stopping: Stopping;
  window: { show(screen: "home"): void; leave(code: number): void };
};

/** The keyboard of Home and Chat: dialogs first, then the completion menu, transcript and input. */
export function conversation(parts: ConversationParts): (...own: Scope[]) => Scope {
  const { store, input, transcript } = parts;
  const { dialogs, composer } = input;
  /** A dialog accepts no answer until the person stops typing. */
  const typing =
    (scope: Scope): Scope =>
    (event) => {
      const taken = scope(event);
      if (taken) dialogs.arming.typed();
      return taken;
    };
  const before = [
    permissionModeScope(parts),
    agentScope(parts),
    todoScope(parts),
    transcriptEnds(store, transcript),
    dialogScope(store, dialogs),
    typing(composer.menu),
  ];
  const after = [
    escapeScope(parts),
    foldScope(transcript),
    typing(leaveScope(parts)),
    transcriptScope(store, transcript),
  ];
  return (...own) => {
    const scopes = [...before, ...after, ...own.map(typing), typing(composer.take)];
    return (event) => takenBy(scopes, event);
  };
}

/** A change of the permission mode may decide what a dialog asks: like an answer, it needs a dialog that was seen. */
function permissionModeScope({ store, session }: ConversationParts): Scope {
  return (event) => {
    if (chatKeys.idOf(event) !== "permissionMode") return false;
    const dialog = frontDialog(store.get());
    if (!dialog || dialog.armed) void session.cyclePermissionMode();
    return true;
  };
}

function todoScope({ store }: ConversationParts): Scope {
  return (event) => {
    const { screen, todosOpen } = store.get();
    if (screen !== "chat" || chatKeys.idOf(event) !== "todos") return false;
    store.set({ todosOpen: !todosOpen });
    return true;
  };
}

/** The agents; where the dialog in view comes from another one than is shown, that one. */
function agentScope({ store, session, agents }: ConversationParts): Scope {
  return (event) => {
    const state = store.get();
    if (state.screen !== "chat" || chatKeys.idOf(event) !== "agents") return false;
    const dialog = frontDialog(state);
    const asks = dialog?.sessionId === state.session?.sessionId && dialog ? agentOf(dialog) : state.agentInView;
    if (asks === state.agentInView) agents.open();
    else session.showAgent(asks);
    return true;
  };
}

/**
 * Back to the main agent; else stop the turn, and then what goes on in the background; else empty the input; else Home.
 * The menu of the composer had Escape before.
 */
function escapeScope({ store, session, stopping, input, window }: ConversationParts): Scope {
  return (event) => {
    if (event.type !== "key" || event.name !== "escape" || event.alt) return false;
    const state = store.get();
    if (state.screen === "chat" && state.agentInView !== ROOT_AGENT) session.showAgent(ROOT_AGENT);
    else if (state.screen === "chat" && stopping.stop()) return true;
    else if (input.composer.clear()) return true;
    else if (state.notes.length > 0) store.dispatch({ type: "notesCleared" });
    else if (state.screen !== "home") window.show("home");
    return true;
  };
}

/** With text in the input the key deletes forward, as in a shell. */
function leaveScope({ store, input, window }: ConversationParts): Scope {
  return (event) => {
    if (windowKeys.idOf(event) !== "leave") return false;
    if (store.get().composer.buffer.isEmpty) window.leave(0);
    else input.composer.deleteForward();
    return true;
  };
}
