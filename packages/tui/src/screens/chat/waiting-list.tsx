import { Box } from "ink";
import { memo } from "react";
import type { ChromeView } from "../../state/chrome-view.ts";
import { sanitiseLine } from "../../text/index.ts";
import { Themed } from "../../widgets/themed.tsx";

const MAX_SHOWN = 3;

type Props = Pick<ChromeView, "outgoing" | "queue" | "steering" | "busy">;

/** Waiting messages: those on their way to the server, and those queued there. */
export const WaitingList = memo(function WaitingList({ outgoing, queue, steering, busy }: Props) {
  const taken = new Set(queue.map(({ promptId }) => promptId));
  const rows = [
    ...queue.map(({ promptId, content }) => ({
      promptId,
      sign: steering.has(promptId) ? "joins before the next request" : "queued",
      text: content.map(({ text }) => text ?? "[image]").join(""),
    })),
    ...outgoing
      .filter(({ promptId }) => !taken.has(promptId))
      .map(({ promptId, text }) => ({ promptId, sign: "sending", text })),
  ];
  if (rows.length === 0) return null;
  const hints = [
    ...(rows.length > MAX_SHOWN ? [`… and ${rows.length - MAX_SHOWN} more.`] : []),
    ...(queue.length > 0 && !busy ? ["Enter on the empty input sends the next one."] : []),
    ...(queue.length > 0 ? ["Alt+Up brings the newest back."] : []),
  ];
  return (
    <Box flexDirection="column" paddingX={1}>
      {rows.slice(0, MAX_SHOWN).map(({ promptId, sign, text }) => (
        <Themed key={promptId} tone="muted">
          {`${sign}: ${sanitiseLine(text)}`}
        </Themed>
      ))}
      {hints.length > 0 ? (
        <Themed tone="muted" wrap="wrap">
          {hints.join(" ")}
        </Themed>
      ) : null}
    </Box>
  );
});
