import type { NoticeListeners, SetupOption } from "@harness/client";
import type { ReactElement } from "react";
import type { WindowHost } from "../client/window-host.ts";
import type { ActionName } from "../keymap/key-tables.ts";
import type { KeyScope, NamedScope } from "../keymap/scope.ts";
import type { CellPosition } from "../render/screen-selection.ts";
import type { SessionController } from "../session/session-controller.ts";

export type ScreenView = () => ReactElement;

/** Everything the window knows about a screen: its row in the table of `screens/index.ts`. */
export type ScreenRow = {
  readonly title: string;
  readonly purpose: string;
  /** The action whose keys open it. */
  readonly openedBy: ActionName;
  /** The composer is below it. */
  readonly hasInput?: true;
  /** Its component, loaded after Ink. */
  readonly view: () => Promise<ScreenView>;
  readonly create: (host: ScreenHost) => Screen;
};

/** A screen of an open window. Its keys are a scope of its own name, which its component names. */
export type Screen = NamedScope & {
  /** It is about to replace another screen: whatever was begun on it earlier is dropped. */
  enter?(): void;
  /** Reads what it shows from the server, each time it is shown. */
  load?(): void;
  /** Called once the folder may be read, and again whenever its settings may have changed. */
  refresh?(): void;
  readonly notices?: NoticeListeners;
  /** A click on the rows that the screen has named `list`; the cell is one of theirs. */
  click?(cell: CellPosition): void;
};

/** Everything a screen may use. */
export type ScreenHost = WindowHost & {
  readonly session: SessionController;
  readonly window: {
    show(screen: string): void;
    /** Returns to the conversation or to Home, whichever was open before. */
    back(): void;
    /** Opens the list of models; `option`: as if the user had picked this one there. */
    chooseModel(option?: SetupOption): void;
    /** Models, settings or credentials were changed: whatever shows them is out of date. */
    changed(): void;
    /** Scrolls the conversation to a passage, and marks its words; more of them are found as in a search. */
    showMatch(place: { readonly index: number; readonly words: string }): void;
    /** Sends what is in the input, as Enter does. */
    submit(): void;
    /** Wraps keys of a text field: they count as typing, and a dialog accepts no answer until the typing ends. */
    typed(scope: KeyScope): KeyScope;
  };
};
