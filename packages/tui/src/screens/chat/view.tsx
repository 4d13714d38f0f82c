import { Box } from "ink";
import { Bottom } from "../../composer/bottom.tsx";
import { dialogPlace, isLowScreen } from "../../dialogs/dialog-place.ts";
import { PermissionDialogView } from "../../dialogs/permission/permission-dialog.tsx";
import { QuestionDialogView } from "../../dialogs/question/question-dialog.tsx";
import { firstSentence } from "../../text/first-sentence.ts";
import { sanitise } from "../../text/index.ts";
import { Hole } from "../../widgets/placeholder.tsx";
import { Themed } from "../../widgets/themed.tsx";
import type { ScreenProps } from "../screen.ts";
import { WaitingList } from "./waiting-list.tsx";

/** With a question on a lower screen, what only informs waits. */
const ROOMY_ROWS = 30;

/** Below the transcript, which the presenter paints: dialogs, what waits, what the agent does, the composer. */
export function Chat({ view }: ScreenProps) {
  const { dialogs, size, outgoing, busy, sessionId, ending, failed, reading, secondsLeft } = view;
  const [dialog, ...behind] = dialogs;
  const shared = { place: dialogPlace(view), behind, sessionId };
  const isLow = dialog !== undefined && isLowScreen(size);
  const isFull = dialog !== undefined && size.rows < ROOMY_ROWS;
  return (
    <Box flexDirection="column" width={size.columns}>
      {busy && !isLow ? <Hole id="status" height={1} /> : null}
      {reading ? <Reading why={reading} /> : null}
      {ending && outgoing.length === 0 && !isFull ? (
        <Box paddingX={1}>
          <Themed tone={failed ? "error" : "muted"} wrap="wrap">
            {sanitise(ending)}
          </Themed>
        </Box>
      ) : null}
      {isFull ? null : <WaitingList outgoing={outgoing} queue={view.queue} steering={view.steering} busy={busy} />}
      {dialog?.kind === "permission" ? <PermissionDialogView dialog={dialog} {...shared} /> : null}
      {dialog?.kind === "question" ? (
        <QuestionDialogView dialog={dialog} secondsLeft={secondsLeft} {...shared} />
      ) : null}
      {isLow ? null : <Bottom view={isFull ? { ...view, notes: [] } : view} />}
    </Box>
  );
}

/** The first sentence says who has it; the rest was told when it was opened. */
function Reading({ why }: { readonly why: string }) {
  return (
    <Box paddingX={1}>
      <Themed tone="warning" wrap="wrap">
        {`Open elsewhere: reading only. ${sanitise(firstSentence(why).first)}`}
      </Themed>
    </Box>
  );
}
