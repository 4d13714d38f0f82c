import { Box } from "ink";
import { AboveInput } from "../../composer/above-input.tsx";
import { dialogPlace, isLowScreen } from "../../dialogs/dialog-place.ts";
import { PermissionDialogView } from "../../dialogs/permission/permission-dialog.tsx";
import { QuestionDialogView } from "../../dialogs/question/question-dialog.tsx";
import { firstSentence } from "../../text/first-sentence.ts";
import { sanitise } from "../../text/index.ts";
import { Themed } from "../../widgets/themed.tsx";
import type { ScreenProps } from "../screen.ts";
import { WaitingList } from "./waiting-list.tsx";

/** Below this height only the dialog is shown, without further information. */
const ROOMY_ROWS = 30;

/** Between transcript and input, which are painted as rows: dialogs and what waits. */
export function Chat({ view }: ScreenProps) {
  const { dialogs, size, outgoing, busy, sessionId, ending, failed, reading, secondsLeft } = view;
  const [dialog, ...behind] = dialogs;
  const shared = { place: dialogPlace(view), behind, sessionId };
  const isLow = dialog !== undefined && isLowScreen(size);
  const isFull = dialog !== undefined && size.rows < ROOMY_ROWS;
  return (
    <Box flexDirection="column" width={size.columns}>
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
      {isLow ? null : <AboveInput view={isFull ? { ...view, notes: [] } : view} />}
    </Box>
  );
}

/** The first sentence says who holds it; the rest was shown when it was opened. */
function Reading({ why }: { readonly why: string }) {
  return (
    <Box paddingX={1}>
      <Themed tone="warning" wrap="wrap">
        {`Open elsewhere: reading only. ${sanitise(firstSentence(why).first)}`}
      </Themed>
    </Box>
  );
}
