import { Box, Text } from "ink";
import TextInput from "ink-text-input";
import { useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { nextGrapheme } from "../input/word-motion.ts";
import { CURSOR } from "../render/chrome.ts";
import { type Row, row, type Span, span, spansWidth, truncateRow } from "../text/index.ts";
import { PaintedRows } from "./rows.tsx";
import { Themed } from "./themed.tsx";
import { useWindow, useWindowParts } from "./use-window.ts";

/** A plain text line with a label. */
export type Field = {
  readonly label: readonly Span[];
  /** For a secret, as many dots. */
  readonly text: string;
  readonly isSecret?: boolean;
  /** Shown as long as there is no text. */
  readonly placeholder?: string;
};

const CURSOR_COLOUR = String(CURSOR.fg);
/** Cells that a label leaves for the typed text, whatever else is in the row. */
const LEAST_CELLS = 16;

/**
 * The field for one plain line; its keys come through `LineInput`. It has one row, in which the cursor stays in view:
 * the text before the cursor is cut at its beginning, the text after it at its end. ink-text-input would count an emoji
 * as two cells for its own cursor, and input methods and screen readers need the terminal's.
 */
export function LineField({ label, text, isSecret = false, placeholder = "" }: Field) {
  const { lines } = useWindowParts();
  const { before, after, mode, round } = useSyncExternalStore(lines.subscribe, lines.shown);
  const mounted = useRef(text);
  useLayoutEffect(() => lines.mount(mounted.current, { isSecret }), [lines, isSecret]);
  useLayoutEffect(() => lines.follow(text));
  const isEmpty = before + after === "";
  const behind = isEmpty ? placeholder : after;
  const under = behind.slice(0, nextGrapheme(behind, 0)) || " ";
  const columns = useWindow(({ state }) => state.size.columns);
  const shownLabel = labelIn(label, columns - LEAST_CELLS);
  return (
    <Box flexShrink={0} width="100%" height={1}>
      <PaintedRows height={1} width={spansWidth(shownLabel.spans)} paint={() => ({ rows: [shownLabel] })} />
      <Box>
        <Text wrap="truncate-start">
          <TextInput key={round} value={before} showCursor={false} onChange={(next) => lines.changed(next)} />
        </Text>
      </Box>
      <Box flexShrink={0}>
        <Text color={CURSOR_COLOUR}>{under}</Text>
      </Box>
      <Box flexGrow={1} flexBasis={0}>
        <Themed {...(isEmpty ? { tone: "muted" } : {})}>{behind.slice(under.length)}</Themed>
      </Box>
      {mode !== "" && (
        <Box flexShrink={0}>
          <Themed tone="accent">{` ${mode}`}</Themed>
        </Box>
      )}
    </Box>
  );
}

/** A label of at most `columns` cells; if it is cut, a blank still follows. */
function labelIn(label: readonly Span[], columns: number): Row {
  if (spansWidth(label) <= columns) return { spans: label };
  return row(...truncateRow({ spans: label }, columns - 1).spans, span(" "));
}
