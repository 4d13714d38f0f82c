import { Box } from "ink";
import type { ChromeView } from "../state/chrome-view.ts";
import { sanitiseLine } from "../text/index.ts";
import { Notes } from "../widgets/notes.tsx";
import { Themed } from "../widgets/themed.tsx";
import { CompletionMenu } from "./completion-menu.tsx";

/** The rows right above the input on Home and Chat: notes and the completion menu. */
export function AboveInput({ view }: { readonly view: ChromeView }) {
  const { size, screen, link, notes, completion, modelWarning } = view;
  return (
    <Box flexDirection="column" flexShrink={0}>
      {modelWarning && screen === "chat" ? (
        <Box paddingX={1}>
          <Themed tone="warning">{sanitiseLine(modelWarning)}</Themed>
        </Box>
      ) : null}
      <Notes link={link} notes={notes} size={size} />
      <CompletionMenu completion={completion} rows={size.rows} />
    </Box>
  );
}
