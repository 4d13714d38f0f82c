import { homeKeys } from "../../keymap/screen-keys.ts";
import type { ChromeView } from "../../state/chrome-view.ts";
import { type Row, row, sanitiseLine, span, style } from "../../text/index.ts";
import { formatCount } from "../../widgets/list-slice.ts";
import { homeSlice } from "./state.ts";

/** Work to begin with in this folder: its name on Home, and the message for the agent. */
export type Starter = { readonly title: string; readonly message: string };

const KEY = style({ fg: "accent", bold: true });
const MUTED = style({ fg: "muted" });

/** The ids of the keys that choose them, in the order of the starters. */
export const starterKeys = ["starter1", "starter2", "starter3"] as const;
export type StarterKey = (typeof starterKeys)[number];

export function isStarterKey(id: string | undefined): id is StarterKey {
  return starterKeys.some((each) => each === id);
}

/** Only those that fit: nothing is explained where there is nothing, and nothing tested without a test. */
export function startersOf(view: Pick<ChromeView, "slices" | "hud">): Starter[] {
  const { overview } = homeSlice.of(view);
  // The folder must not be read yet.
  if (!overview) return [];
  const { testCommand, isEmpty } = overview;
  const { changedFiles = 0 } = view.hud?.git ?? {};
  const command = testCommand === undefined ? "" : sanitiseLine(testCommand);
  return [
    ...(isEmpty
      ? []
      : [{ title: "Explain this project", message: "Explain this project: what it does and how it is built." }]),
    ...(command === ""
      ? []
      : [{ title: `Fix the failing test (${command})`, message: `Run \`${command}\`, and fix what fails.` }]),
    ...(changedFiles === 0
      ? []
      : [
          {
            title: `Review ${formatCount(changedFiles, "uncommitted file")}`,
            message: "Review the uncommitted changes: look for mistakes, and change nothing.",
          },
        ]),
  ];
}

/** A row for each that has a key, or all in one row. */
export function starterRows(
  view: Pick<ChromeView, "slices" | "hud" | "keys">,
  { isShort }: { isShort: boolean },
): Row[] {
  const shown = startersOf(view).flatMap(({ title }, at) => {
    const id = starterKeys[at];
    const key = id && view.keys.of(`${homeKeys.where}.${id}`);
    return key === undefined ? [] : [[span(key, KEY), span(isShort ? ` ${title}` : `  ${title}`)]];
  });
  const [first, ...others] = shown;
  if (!first) return [];
  const then = span("  one key sends it", MUTED);
  if (isShort) return [row(...first, ...others.flatMap((each) => [span(" · ", MUTED), ...each]))];
  return [row(span(" "), ...first, then), ...others.map((each) => row(span(" "), ...each))];
}
