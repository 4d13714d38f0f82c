import { Box } from "ink";
import { memo } from "react";
import type { ChromeView } from "../state/chrome-view.ts";
import { sanitiseLine } from "../text/index.ts";
import { Themed } from "./themed.tsx";

const MAX_SHOWN = 3;

/** Messages that wait: those on their way to the server, and those it keeps until the turn has ended. */
export const WaitingList = memo(function WaitingList({ outgoing, queue }: Pick<ChromeView, "outgoing" | "queue">) {
  const taken = new Set(queue.map(({ promptId }) => promptId));
  const rows = [
    ...queue.map(({ promptId, content }) => ({
      promptId,
      sign: "queued",
      text: content.map(({ text }) => text ?? "[image]").join(""),
    })),
    ...outgoing
      .filter(({ promptId }) => !taken.has(promptId))
      .map(({ promptId, text }) => ({ promptId, sign: "sending", text })),
  ];
  if (rows.length === 0) return null;
  return (
    <Box flexDirection="column" paddingX={1}>
      {rows.slice(0, MAX_SHOWN).map(({ promptId, sign, text }) => (
        <Themed key={promptId} tone="muted">
          {`${sign}: ${sanitiseLine(text)}`}
        </Themed>
      ))}
      <Themed tone="muted">
        {`${rows.length > MAX_SHOWN ? `… and ${rows.length - MAX_SHOWN} more. ` : ""}${queue.length > 0 ? "Alt+Up takes the newest back." : ""}`}
      </Themed>
    </Box>
  );
});
