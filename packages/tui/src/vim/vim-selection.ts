import { nextGrapheme } from "../input/index.ts";
import type { ComposerState } from "../state/composer.ts";
import { wholeChips } from "../state/paste-chips.ts";
import type { VimState } from "../state/vim-state.ts";
import { lineEnd, lineStart } from "./vim-motions.ts";

/** The text that an operator works on. */
export type VimRange = { readonly from: number; readonly to: number; readonly isLines: boolean };

/** Visual mode; any other change of the text, such as a paste, ends it. */
export function visualOf({
  buffer,
  vim,
}: Pick<ComposerState, "buffer" | "vim">): NonNullable<VimState["visual"]> | undefined {
  return vim?.mode === "normal" && vim.visual?.text === buffer.text ? vim.visual : undefined;
}

/** The current mode of the keys, and an incomplete command; empty in insert mode. */
export function vimMode({ buffer, vim }: Pick<ComposerState, "buffer" | "vim">): string {
  if (vim?.mode !== "normal") return "";
  const visual = visualOf({ buffer, vim });
  const mode = visual ? (visual.isLines ? "VISUAL LINE" : "VISUAL") : "NORMAL";
  return `${mode} ${vim.pending}`.trimEnd();
}

/** The selection of visual mode. */
export function selectedRange(composer: ComposerState): VimRange | undefined {
  const visual = visualOf(composer);
  if (!visual) return undefined;
  const { text, offset } = composer.buffer;
  const [from, last] = [Math.min(visual.anchor, offset), Math.max(visual.anchor, offset)];
  if (visual.isLines) return { from: lineStart(text, from), to: lineEnd(text, last), isLines: true };
  const to = last < text.length ? nextGrapheme(text, last) : last;
  return { ...wholeChips(text, composer.chips, { from, to }), isLines: false };
}

/** The normal mode command for the same amount, in lines or in characters of one line; undefined: there is none. */
export function repeatKeys(operator: "d" | "c", { from, to, isLines }: VimRange, text: string): string | undefined {
  const lines = text.slice(from, to).split("\n").length;
  if (isLines) return `${lines}${operator}${operator}`;
  if (lines > 1) return undefined;
  let count = 0;
  for (let at = from; at < to; at = nextGrapheme(text, at)) count += 1;
  return count > 0 ? `${count}${operator}l` : undefined;
}
