import { ROOT_AGENT } from "@harness/protocol";
import type { WindowHost } from "../client/window-host.ts";
import type { ComposerScope } from "../composer/composer-scope.ts";
import type { DialogActs } from "../dialogs/dialog-acts.ts";
import type { DialogQueue } from "../dialogs/dialog-queue.ts";
import { dialogScope } from "../dialogs/dialog-scope.ts";
import type { FindController } from "../find/find-controller.ts";
import type { LineEditor } from "../input/line-editor.ts";
import { questionKeys } from "../keymap/dialog-keys.ts";
import { type KeyScope, type NamedScope, takenBy } from "../keymap/scope.ts";
import { chatKeys, windowKeys } from "../keymap/window-keys.ts";
import type { Overlays } from "../overlays/index.ts";
import type { SessionController } from "../session/session-controller.ts";
import type { StopKeys } from "../session/stop-keys.ts";
import { agentOf, readingEndKey } from "../state/dialogs.ts";
import { frontDialog, isBusy } from "../state/selectors.ts";
import type { TextMarker } from "./text-marker.ts";
import { foldScope, type Transcript, transcriptEnds, transcriptScope } from "./transcript-scope.ts";

type ConversationDeps = Pick<WindowHost, "store"> & {
  session: SessionController;
  /** The receivers of keys, dialogs first. */
  input: { dialogs: DialogQueue; composer: ComposerScope; lines: LineEditor };
  transcript: Transcript;
  overlays: Pick<Overlays, "agents" | "models" | "rewind"> & { find: FindController };
  stopping: StopKeys;
  window: {
    show(screen: "chat" | "home"): void;
    leave(code: number): void;
    copyCode(): void;
    showBare(): void;
    edit: DialogActs["editText"];
    marking: Pick<TextMarker, "start" | "take">;
  };
};

/** Keys next to the input: pressing them counts as typing, and a dialog accepts no answer until that ends. */
export function typedScope(dialogs: Pick<DialogQueue, "arming">): (scope: KeyScope) => KeyScope {
  return (scope) => (event) => {
    const taken = scope(event);
    if (taken) dialogs.arming.typed();
    return taken;
  };
}

/** The scopes of Home and Chat. */
export function conversationScopes(deps: ConversationDeps) {
  const { store, input, transcript, overlays, window } = deps;
  const { dialogs, composer, lines } = input;
  const typed = typedScope(dialogs);
  return {
    /** Keys that also work at a dialog. */
    session: inOrder(modeScope(deps), agentScope(deps), todoScope(deps), transcriptEnds(store, transcript)),
    dialog: { take: dialogScope({ store, queue: dialogs, acts: dialogActs(deps), lines }) },
    /** Keys that a dialog keeps from the rest: menus, which cover it, come first. */
    conversation: inOrder(
      window.marking.take,
      typed(overlays.find.take),
      typed(composer.menu),
      escapeScope(deps),
      foldScope(transcript),
      shortcutScope(deps),
      typed(leaveScope(deps)),
      transcriptScope(store, transcript),
    ),
    input: { take: typed(composer.take) },
  } satisfies Record<string, NamedScope>;
}

function inOrder(...scopes: KeyScope[]): NamedScope {
  return { take: (event) => takenBy(scopes, event) };
}

/** A dialog stops the turn that asks; in the background it stops the agent that asks. */
function dialogActs({ store, session, window }: ConversationDeps): DialogActs {
  return {
    stopTurnOf: (dialog) => {
      const state = store.get();
      const isHere = dialog.sessionId === state.session?.sessionId;
      return session.stop(dialog.sessionId, isHere && !isBusy(state) ? agentOf(dialog) : undefined);
    },
    allowEdits: () => void session.modes.cycle(),
    editText: (text) => window.edit(text),
  };
}

/** A mode change may decide what a dialog asks: like an answer, it requires that the end of the dialog was seen. */
function modeScope({ store, session, input }: ConversationDeps): KeyScope {
  return (event) => {
    if (chatKeys.idOf(event) !== "permissionMode") return false;
    const dialog = frontDialog(store.get());
    // The same key leads from a question to the one before.
    if (dialog?.kind === "question" && dialog.question.back && questionKeys.idOf(event) === "back") return false;
    if (dialog?.kind === "permission" && !input.dialogs.wasRead(readingEndKey(dialog)))
      store.dispatch({ type: "dialogChanged", dialog: { ...dialog, tooEarly: dialog.armed } });
    else if (!dialog || dialog.armed) void session.modes.cycle();
    return true;
  };
}

/** Commands that also have a key. */
function shortcutScope({ store, overlays, session, window }: ConversationDeps): KeyScope {
  return (event) => {
    const id = chatKeys.idOf(event);
    const { screen, composer } = store.get();
    if (id === "find" && screen === "chat" && composer.buffer.isEmpty) overlays.find.open();
    else if (id === "mark" && screen === "chat") window.marking.start();
    else if (id === "model") void overlays.models.open();
    else if (id === "new") session.begin();
    else if (id === "copyCode") window.copyCode();
    else if (id === "bare") window.showBare();
    else return false;
    return true;
  };
}

function todoScope({ store }: ConversationDeps): KeyScope {
  return (event) => {
    const { screen, todosOpen } = store.get();
    if (screen !== "chat" || chatKeys.idOf(event) !== "todos") return false;
    store.set({ todosOpen: !todosOpen });
    return true;
  };
}

/** Opens the agents; if the dialog in view belongs to a different agent, shows that agent instead. */
function agentScope({ store, session, overlays }: ConversationDeps): KeyScope {
  return (event) => {
    const state = store.get();
    if (chatKeys.idOf(event) !== "agents") return false;
    const dialog = frontDialog(state);
    const asks = dialog?.sessionId === state.session?.sessionId && dialog ? agentOf(dialog) : state.agentInView;
    if (asks === state.agentInView) overlays.agents.open();
    else session.showAgent(asks);
    return true;
  };
}

/**
 * Back to the main agent; else stops the turn, and then background work; else empties the input; when idle goes to
 * Home, and from there the second press rewinds. The composer's menu gets Escape first.
 */
function escapeScope({ store, session, stopping, input, window, overlays }: ConversationDeps): KeyScope {
  return (event) => {
    if (windowKeys.idOf(event) !== "escape") return false;
    const state = store.get();
    if (state.screen === "chat" && state.agentInView !== ROOT_AGENT) session.showAgent(ROOT_AGENT);
    else if (state.screen === "chat" && stopping.stop()) return true;
    // Pressed twice to make sure that it stops: the second press removes nothing else.
    else if (state.stopArmed) return true;
    else if (input.composer.keepsText || input.composer.clear()) return true;
    else if (state.notes.length > 0) store.dispatch({ type: "notesCleared" });
    else if (state.screen === "chat") {
      overlays.rewind.arm();
      window.show("home");
    } else if (state.rewindArmed) {
      window.show("chat");
      overlays.rewind.open();
    }
    return true;
  };
}

/** With text in the input the key deletes forward, as in a shell. */
function leaveScope({ store, input, window }: ConversationDeps): KeyScope {
  return (event) => {
    if (windowKeys.idOf(event) !== "leave") return false;
    if (store.get().composer.buffer.isEmpty) window.leave(0);
    else input.composer.deleteForward();
    return true;
  };
}
