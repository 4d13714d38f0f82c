import { Box, Text } from "ink";
import type { TextBuffer } from "../input/index.ts";
import { CURSOR_MARK } from "../render/ink-frame.ts";
import { stringWidth } from "../text/index.ts";
import { Themed } from "./themed.tsx";

type Props = { readonly label: string; readonly buffer: TextBuffer; readonly columns: number; readonly hint?: string };

/** A field of one line with the terminal's own cursor in it; the text scrolls so that the cursor is in view. */
export function LineField({ label, buffer, columns, hint }: Props) {
  const { text, offset } = buffer;
  const room = Math.max(8, columns - stringWidth(label) - 1);
  let from = 0;
  while (stringWidth(text.slice(from, offset)) >= room) from += 1;
  const before = text.slice(from, offset);
  const [under = " "] = text.slice(offset);
  const after = text.slice(offset + under.length);
  return (
    <Box flexDirection="column">
      <Text wrap="truncate">
        <Themed tone="accent">{label}</Themed>
        {before}
        <Text color={CURSOR_MARK}>{under}</Text>
        {after}
      </Text>
      {hint ? <Themed tone="muted">{hint}</Themed> : null}
    </Box>
  );
}
