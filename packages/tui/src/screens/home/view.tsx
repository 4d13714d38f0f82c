import { Box } from "ink";
import { modelName } from "../../state/selectors.ts";
import { sanitiseLine } from "../../text/index.ts";
import { ago, listWindow } from "../../widgets/list-slice.ts";
import { NamedRow, Themed } from "../../widgets/themed.tsx";
import type { ScreenProps } from "../screen.ts";
import { homeSlice } from "./state.ts";

/** Rows of Home that are not its list. */
const OTHER_ROWS = 14;

function ModelLines({ view }: Pick<ScreenProps, "view">) {
  const { providers, hud, modelWarning } = view;
  const model = modelName(hud);
  const provider = hud?.provider;
  if (model) {
    return (
      <Box flexDirection="column">
        <Themed>{`Model   ${sanitiseLine(model)}${provider ? ` from ${sanitiseLine(provider)}` : ""}`}</Themed>
        {modelWarning ? <Themed tone="warning">{sanitiseLine(modelWarning)}</Themed> : null}
      </Box>
    );
  }
  const [slow] = homeSlice.of(view).waiting;
  if (slow) {
    const words = `Waiting for ${sanitiseLine(slow.name)} at ${sanitiseLine(slow.address)}: it accepted the connection and has not answered yet…`;
    return (
      <Themed tone="muted" wrap="wrap">
        {words}
      </Themed>
    );
  }
  if (!providers || !hud) return <Themed tone="muted">Looking for a model…</Themed>;
  const { advice } = providers;
  // The first line of the advice only says that there is no model; a problem also says why.
  const lines = hud.problem === undefined ? advice : [hud.problem, ...advice.slice(1)];
  return (
    <Box flexDirection="column">
      {lines.map((line) => (
        <Themed key={line} tone="warning" wrap="wrap">
          {sanitiseLine(line)}
        </Themed>
      ))}
    </Box>
  );
}

function Recent({ view, nowMs }: Pick<ScreenProps, "view" | "nowMs">) {
  const { size, sessionId } = view;
  const { recent, marked } = homeSlice.of(view);
  if (!recent) return null;
  if (recent.length === 0) return <Themed tone="muted">No sessions in this folder yet.</Themed>;
  const { from, to } = listWindow(marked ?? 0, recent.length, size.rows - OTHER_ROWS);
  return (
    <Box flexDirection="column">
      <Themed tone="muted">Recent sessions of this folder</Themed>
      {recent.slice(from, to).map((each, at) => {
        const name = sanitiseLine(each.title ?? each.preview) || each.sessionId;
        const open = each.sessionId === sessionId ? "open · " : "";
        return (
          <NamedRow key={each.sessionId} marked={from + at === marked} end={`${open}${ago(each.updatedAt, nowMs)}`}>
            {name}
          </NamedRow>
        );
      })}
    </Box>
  );
}

/** The first screen: folder, model, recent sessions, and hints. */
export function Home({ view, height, nowMs }: ScreenProps) {
  const { size, version, cwd, sessionId } = view;
  const { recent } = homeSlice.of(view);
  const hints = [
    "Type a message and press Enter. / lists commands, @ names a file.",
    ...(sessionId ? ["Enter goes back to the open session."] : []),
    ...(recent?.length ? ["Down marks a session, Enter opens it. Ctrl+G shows all of them."] : []),
  ];
  return (
    <Box flexDirection="column" height={height} width={size.columns}>
      <Themed tone="muted">{` harness ${version}  ${sanitiseLine(cwd)}`}</Themed>
      <Box flexDirection="column" flexGrow={1} paddingX={1} paddingTop={1} overflow="hidden">
        <ModelLines view={view} />
        <Box height={1} />
        <Recent view={view} nowMs={nowMs} />
        <Box height={1} />
        {hints.map((hint) => (
          <Themed key={hint} tone="muted">
            {hint}
          </Themed>
        ))}
      </Box>
    </Box>
  );
}
