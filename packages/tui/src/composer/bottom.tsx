import { Box } from "ink";
import type { ChromeView } from "../state/chrome-view.ts";
import { sanitiseLine } from "../text/index.ts";
import { HudLine } from "../widgets/hud-line.tsx";
import { Notes } from "../widgets/notes.tsx";
import { Hole } from "../widgets/placeholder.tsx";
import { Themed } from "../widgets/themed.tsx";
import { CompletionMenu } from "./completion-menu.tsx";

/** What Home and Chat share: notes, completion, composer, numbers. */
export function Bottom({ view }: { readonly view: ChromeView }) {
  const { size, screen, link, notes, completion, composerRows, modelWarning } = view;
  return (
    <Box flexDirection="column" flexShrink={0}>
      {modelWarning && screen === "chat" ? (
        <Box paddingX={1}>
          <Themed tone="warning">{sanitiseLine(modelWarning)}</Themed>
        </Box>
      ) : null}
      <Notes link={link} notes={notes} size={size} />
      <CompletionMenu completion={completion} rows={size.rows} />
      <Hole id="composer" height={composerRows} />
      <HudLine view={view} />
    </Box>
  );
}
