import type { PictureController } from "../attachments/picture-controller.ts";
import type { WindowHost } from "../client/window-host.ts";
import type { TrustController } from "../dialogs/trust/trust-controller.ts";
import type { FindController } from "../find/find-controller.ts";
import type { Overlays } from "../overlays/index.ts";
import type { SessionController } from "../session/session-controller.ts";
import type { Store } from "../state/store.ts";

/** Everything a slash command may use. */
export type CommandContext = {
  readonly store: Store;
  readonly window: {
    show(screen: string): void;
    showHelp(): void;
    showUsage(): Promise<void>;
    showContext(agentId: string): Promise<void>;
    leave(code: number): void;
    /** Puts a text into the clipboard; returns what was copied, as a sentence. */
    copy(text: string): string;
    /** Shows a text on the terminal's own screen until Enter is pressed. */
    showText(text: string): Promise<void>;
    /** Opens a text in the user's editor; it is in the input afterwards. */
    edit(text: string): void;
  };
  readonly controllers: {
    readonly server: WindowHost["server"];
    readonly session: SessionController;
    readonly overlays: Overlays;
    readonly find: FindController;
    readonly trust: TrustController;
    readonly pictures: PictureController;
    /** Runs a command of the server and shows its answer. */
    readonly runOnServer: (name: string, args: string) => Promise<void>;
  };
};

/** A slash command; its name is its key in the table. */
