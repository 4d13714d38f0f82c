import { Box, Transform } from "ink";
import TextInput from "ink-text-input";
import { useContext, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { CURSOR } from "../render/chrome.ts";
import { type Row, type Span, spansWidth } from "../text/index.ts";
import { inkColour } from "../theme/theme.ts";
import { PaintedRows } from "./rows.tsx";
import { ThemeContext } from "./themed.tsx";
import { useWindowParts } from "./use-window.ts";

/** A plain line that is typed. */
export type Field = {
  readonly label: readonly Span[];
  /** Of a secret: as many dots. */
  readonly text: string;
  readonly isSecret?: boolean;
  /** Shown while there is no text. */
  readonly placeholder?: string;
};

/** ink-text-input draws a cursor of its own; input methods and screen readers need the terminal's. */
const OWN_CURSOR = /\p{Cc}\[7m(\P{Cc}*)\p{Cc}\[27m/gu;
/** Its placeholder is grey, whatever is behind it. */
const OWN_GREY = "\u001b[90m";

/** The sequence that begins a colour. */
function foreground(colour: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return `\u001b[38;2;${parts.join(";")}m`;
}

const CURSOR_MARK = `${foreground(String(CURSOR.fg))}$1\u001b[39m`;

/** The field for one plain line; its keys come through `LineInput`. */
export function LineField({ label, text, isSecret = false, placeholder = "" }: Field) {
  const { lines } = useWindowParts();
  const value = useSyncExternalStore(lines.subscribe, () => lines.textOf(text));
  const muted = foreground(inkColour(useContext(ThemeContext), "muted"));
  const mounted = useRef(text);
  useLayoutEffect(() => lines.mount({ text: mounted.current, isSecret }), [lines, isSecret]);
  const rows: readonly Row[] = [{ spans: label }];
  return (
    <Box flexShrink={0}>
      <PaintedRows height={1} width={spansWidth(label)} paint={() => ({ rows })} />
      <Box flexGrow={1}>
        <Transform transform={(line) => line.replace(OWN_CURSOR, CURSOR_MARK).replaceAll(OWN_GREY, muted)}>
          <TextInput value={value} placeholder={placeholder} onChange={(next) => lines.changed(next)} />
        </Transform>
      </Box>
    </Box>
  );
}
