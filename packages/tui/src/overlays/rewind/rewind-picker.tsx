import { Box } from "ink";
import type { ChromeView } from "../../state/chrome-view.ts";
import type { RewindPicker as Picker, RewindPlace } from "../../state/overlay.ts";
import { sanitiseLine } from "../../text/index.ts";
import { counted, listWindow } from "../../widgets/list-slice.ts";
import { OverlayBody, OverlayFrame } from "../../widgets/overlay-frame.tsx";
import { Themed } from "../../widgets/themed.tsx";

type Props = { readonly view: Pick<ChromeView, "size" | "leaveArmed">; readonly picker: Picker };

/** The person's messages, newest first, with what each turn changed; then the choice of what to restore. */
export function RewindPicker({ view, picker }: Props) {
  const { size } = view;
  const { places, selected, chosen, working } = picker;
  const place = places[selected];
  const { from, to } = listWindow(selected, places.length, size.rows - 5 - (chosen ? 4 : 0));
  const keys = chosen ? "Esc back to the list" : "↑↓ move · Enter choose · Esc close";
  return (
    <OverlayFrame view={view} keys={keys}>
      <OverlayBody>
        <Themed bold>Go back to before</Themed>
        <Box height={1} />
        {places.slice(from, to).map((each, at) => (
          <Place key={each.id} place={each} marked={from + at === selected} />
        ))}
        {chosen && place ? <What place={place} working={working} /> : null}
      </OverlayBody>
    </OverlayFrame>
  );
}

function Place({ place, marked }: { readonly place: RewindPlace; readonly marked: boolean }) {
  const { text, files, added, removed, kind } = place;
  return (
    <Box justifyContent="space-between">
      <Box flexShrink={1}>
        <Themed tone={marked ? "accent" : kind === "checkpoint" ? "muted" : undefined} bold={marked}>
          {`${marked ? "› " : "  "}${sanitiseLine(text.trim()) || "(no words)"}`}
        </Themed>
      </Box>
      <Box flexShrink={0}>
        {files > 0 ? <Themed tone="muted">{`  ${counted(files, "file")}  `}</Themed> : null}
        {files > 0 ? <Themed tone="added">{`+${added}`}</Themed> : null}
        {files > 0 ? <Themed tone="removed">{` −${removed}`}</Themed> : null}
      </Box>
    </Box>
  );
}

function What({ place, working }: { readonly place: RewindPlace; readonly working: boolean }) {
  if (working) {
    return (
      <Box paddingTop={1}>
        <Themed tone="muted">Rewinding…</Themed>
      </Box>
    );
  }
  return (
    <Box flexDirection="column" paddingTop={1} flexShrink={0}>
      {place.kind === "message" ? <Themed>b conversation and files</Themed> : null}
      {place.kind === "message" ? <Themed>c the conversation; files stay as they are</Themed> : null}
      <Themed>f the files; the conversation stays</Themed>
    </Box>
  );
}
