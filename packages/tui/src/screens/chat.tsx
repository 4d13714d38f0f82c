import { Box } from "ink";
import { Bottom } from "../components/bottom.tsx";
import { Hole } from "../components/hole.tsx";
import { PermissionCard } from "../components/permission-card.tsx";
import { QuestionCard } from "../components/question-card.tsx";
import { Themed } from "../components/themed.tsx";
import { WaitingList } from "../components/waiting-list.tsx";
import { sanitise } from "../text/index.ts";
import type { PlainScreenProps } from "./screen-props.ts";

/** On a lower screen a question needs the composer's rows. */
const LOW_ROWS = 18;

/** Below the transcript, which the presenter paints: cards, what waits, what the agent does, the composer. */
export function Chat({ view }: PlainScreenProps) {
  const { cards, size, outgoing, queue, busy, sessionId, ending, failed } = view;
  const [card] = cards;
  const shared = { waiting: cards.length, columns: size.columns, rows: size.rows };
  return (
    <Box flexDirection="column" width={size.columns}>
      {busy ? <Hole id="status" height={1} /> : null}
      {ending && outgoing.length === 0 ? (
        <Box paddingX={1}>
          <Themed tone={failed ? "error" : "muted"} wrap="wrap">
            {sanitise(ending)}
          </Themed>
        </Box>
      ) : null}
      <WaitingList outgoing={outgoing} queue={queue} />
      {card?.kind === "permission" ? (
        <PermissionCard card={card} elsewhere={card.sessionId !== sessionId} {...shared} />
      ) : null}
      {card?.kind === "question" ? <QuestionCard card={card} {...shared} /> : null}
      {card && size.rows < LOW_ROWS ? null : <Bottom view={view} />}
    </Box>
  );
}
