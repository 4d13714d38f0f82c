import type { NoticeListeners, SetupOption } from "@harness/client";
import type { ReactElement } from "react";
import type { WindowHost } from "../client/window-host.ts";
import type { ActionName } from "../keymap/key-tables.ts";
import type { KeyScope, NamedScope } from "../keymap/scope.ts";
import type { SessionController } from "../session/session-controller.ts";

export type ScreenView = () => ReactElement;

/** Everything the window knows of a screen: its row in the table of `screens/index.ts`. */
export type ScreenRow = {
  readonly title: string;
  readonly purpose: string;
  /** The keys of this action lead there. */
  readonly openedBy: ActionName;
  /** The input is below it. */
  readonly hasInput?: true;
  /** Its component, loaded after Ink. */
  readonly view: () => Promise<ScreenView>;
  readonly create: (host: ScreenHost) => Screen;
};

/** A screen of a window that is open. Its keys are a scope of its own name, which its component names. */
export type Screen = NamedScope & {
  /** It is about to be shown in place of another screen: what was begun on it is over. */
  enter?(): void;
  /** Reads what it shows from the server, each time it is shown. */
  load?(): void;
  /** Called once the folder may be read, and again whenever its settings may be others. */
  refresh?(): void;
  readonly notices?: NoticeListeners;
};

/** Everything a screen may use. */
export type ScreenHost = WindowHost & {
  readonly session: SessionController;
  readonly window: {
    show(screen: string): void;
    /** To the conversation, or Home, whichever the person came from. */
    back(): void;
    /** The list of models; `option`: as if the person had taken this one there. */
    chooseModel(option?: SetupOption): void;
    /** Models, settings or credentials were changed: what shows them is out of date. */
    changed(): void;
    /** Keys beside the input: whoever presses them is typing, and a dialog takes no answer until that ends. */
    typed(scope: KeyScope): KeyScope;
  };
};
