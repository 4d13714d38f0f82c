import type { ChromeView } from "../state/chrome-view.ts";

export type ScreenProps = {
  readonly view: ChromeView;
  /** Wall clock, for "5 min ago". */
  readonly nowMs: number;
  /** The text of the setting being typed changed. */
  readonly onEdit: (text: string) => void;
};

/** What a screen without text fields needs. */
export type PlainScreenProps = Omit<ScreenProps, "onEdit">;
