import { Box } from "ink";
import { memo } from "react";
import type { Completion } from "../state/composer.ts";
import { sanitiseLine } from "../text/index.ts";
import { listWindow } from "../widgets/list-slice.ts";
import { Themed } from "../widgets/themed.tsx";

const MAX_ROWS = 8;

type Props = { readonly completion: Completion | undefined; readonly rows: number };

/** Completions of the word at the cursor; Tab or Enter takes the marked row. */
export const CompletionMenu = memo(function CompletionMenu({ completion, rows }: Props) {
  if (!completion) return null;
  const { items, selected } = completion;
  const { from, to } = listWindow(selected, items.length, Math.max(2, Math.min(MAX_ROWS, rows - 8)));
  const width = Math.max(...items.map(({ label }) => label.length));
  return (
    <Box flexDirection="column" paddingX={1} flexShrink={0}>
      {items.slice(from, to).map(({ label, detail }, at) => {
        const marked = from + at === selected;
        const text = `${marked ? "› " : "  "}${sanitiseLine(label)}`;
        return (
          <Box key={label}>
            <Box flexShrink={0}>
              <Themed tone={marked ? "accent" : undefined} bold={marked}>
                {detail === "" ? text : text.padEnd(Math.min(30, width + 4))}
              </Themed>
            </Box>
            <Themed tone="muted">{sanitiseLine(detail)}</Themed>
          </Box>
        );
      })}
    </Box>
  );
});
