import type { ChromeView } from "../../state/chrome-view.ts";
import { type Row, row, sanitiseLine, span, style, wrapSpans } from "../../text/index.ts";
import { inset } from "../../widgets/boxes.ts";

const MAX_SHOWN = 3;
const MUTED = style({ fg: "muted" });

/** Waiting messages: those on their way to the server, and those in its queue. */
export function waitingRows(view: ChromeView): Row[] {
  const { outgoing, queue, steering, busy, size, agentInView, keys, dialogs } = view;
  // A dialog has the keys of the empty input.
  const hasKeys = queue.length > 0 && dialogs.length === 0;
  const taken = new Set(queue.map(({ promptId }) => promptId));
  const texts = [
    ...queue.map(({ promptId, content }) => {
      const running = steering.has(promptId) ? "sent with the next step" : "sent after this turn";
      const sign = busy ? running : "waiting";
      return `${sign}: ${sanitiseLine(content.map(({ text }) => text ?? "[image]").join(""))}`;
    }),
    ...outgoing
      .filter(({ promptId, agentId }) => !taken.has(promptId) && agentId === agentInView)
      .map(({ text }) => `sending: ${sanitiseLine(text)}`),
  ];
  const hints = [
    ...(texts.length > MAX_SHOWN ? [`… and ${texts.length - MAX_SHOWN} more.`] : []),
    ...(hasKeys && !busy ? [keys.hint("input.submit", "in the empty input sends the next one.")] : []),
    ...(hasKeys ? [keys.hint("input.up", "edits the newest.")] : []),
  ];
  const hint = hints.length > 0 ? wrapSpans([span(hints.join(" "), MUTED)], size.columns - 2) : [];
  return inset([...texts.slice(0, MAX_SHOWN).map((text) => row(span(text, MUTED))), ...hint], size.columns);
}
