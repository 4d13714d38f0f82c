import { Box } from "ink";
import { useMemo } from "react";
import { placeInUse } from "../../figures/model-place.ts";
import { fieldHint } from "../../keymap/field-keys.ts";
import { hints, type KeyLabels } from "../../keymap/key-labels.ts";
import { EMPTY_ROW, type Row, row, sanitiseLine, span, spansWidth, style, wrapSpans } from "../../text/index.ts";
import type { Role } from "../../theme/theme.ts";
import { ActiveScope } from "../../widgets/active-scope.tsx";
import { spread } from "../../widgets/boxes.ts";
import { LineField } from "../../widgets/line-field.tsx";
import { noteRows } from "../../widgets/note-rows.ts";
import { keptForHeight, PaintedRows, Rows } from "../../widgets/rows.tsx";
import { Themed } from "../../widgets/themed.tsx";
import { useView } from "../../widgets/use-window.ts";
import { KeyDetail, LoginPanel } from "./credential-rows.tsx";
import { type SettingsEntry, shownEntries } from "./entries.ts";
import { detailRows, settingListRows } from "./setting-rows.ts";
import { type SettingsScreenState, type SettingsState, selectedEntry, settingsSlice } from "./state.ts";

const BOLD = style({ bold: true });
const MUTED = style({ fg: "muted" });
const LABEL = style({ fg: "accent" });
/** Rows below the list reserved for a provider's detail. */
const KEY_DETAIL_ROWS = 3;

/** The hint about the keys for the marked row. */
function keyHint({ settings, keys }: SettingsScreenState, entry: SettingsEntry | undefined, labels: KeyLabels): string {
  if (keys.work?.kind === "login") return fieldHint({ enter: "sends it", leave: "cancels the login" });
  if (keys.work?.kind === "typing") return fieldHint({ enter: "stores it", leave: "cancels" });
  if (keys.work?.kind === "removing") return "Any other key keeps it";
  if (settings.editing) return fieldHint({ enter: "save", leave: "cancel" });
  const back = labels.hint("settings.clear", settings.filter === "" ? "back" : "clears the filter");
  if (!entry) return back;
  const does = {
    edit: labels.hint("settings.edit", "edit"),
    cycle: labels.hint(["settings.previous", "settings.next"], "choose"),
    key: labels.hint("providers.begin", "type a key"),
    login: labels.hint("providers.begin", "log in"),
  };
  const act = does[actOf(entry)];
  const isProvider = entry.kind === "provider";
  const end = isProvider ? labels.hint("providers.remove", "remove") : labels.hint("settings.reset", "default");
  return hints(labels.hint(["lists.up", "lists.down"], "move"), act, end, back);
}

function actOf(entry: SettingsEntry): "edit" | "cycle" | "key" | "login" {
  if (entry.kind === "provider") return entry.provider.login ? "login" : "key";
  return entry.view.type === "choice" || entry.view.type === "boolean" ? "cycle" : "edit";
}

/** The title with the filter being typed, and how many settings differ from their defaults. */
function Title({ state, columns }: { readonly state: SettingsScreenState; readonly columns: number }) {
  const { views = [], filter, editing } = state.settings;
  const changed = views.filter(({ source }) => source !== "default").length;
  const count = changed === 0 ? [] : [span(`${changed} changed`, MUTED)];
  const label = [span("Settings  ", BOLD), ...(filter === "" ? [] : [span("filter: ", MUTED)])];
  // A value or key is being typed, so the filter has no cursor.
  if (editing || state.keys.work) return <Rows rows={[spread([...label, span(filter)], count, columns)]} />;
  return (
    <Box flexShrink={0}>
      <Box flexGrow={1}>
        <LineField label={label} text={filter} placeholder="type to filter" />
      </Box>
      <PaintedRows height={1} width={spansWidth(count)} paint={() => ({ rows: [row(...count)] })} />
    </Box>
  );
}

/** Recent events, and problems with files. */
function messageRows({ settings, keys }: SettingsScreenState, columns: number): Row[] {
  const wrapped = (text: string, role: Role) => wrapSpans([span(sanitiseLine(text), style({ fg: role }))], columns);
  return [
    ...(settings.saved ? wrapped(settings.saved, "success") : []),
    ...(keys.message ? wrapped(keys.message.text, keys.message.severity) : []),
    ...[...settings.problems, ...keys.problems].flatMap((problem) => wrapped(problem, "warning")),
  ];
}

function emptyText({ settings }: SettingsScreenState): string {
  return settings.views ? "No setting matches." : "Loading the settings…";
}

/** Every setting by group: value, source, default; changed in place and saved at once. */
export function SettingsView() {
  const view = useView();
  const { columns } = view.size;
  const state = settingsSlice.of(view);
  const entry = selectedEntry(state);
  const { work } = state.keys;
  return (
    <Box flexDirection="column" flexGrow={1} overflow="hidden">
      <ActiveScope name="settings" />
      {work?.kind === "login" ? (
        <Box flexDirection="column" flexGrow={1}>
          <LoginPanel work={work} columns={columns} />
        </Box>
      ) : (
        <List state={state} entry={entry} columns={columns - 2} />
      )}
      <Box flexDirection="column" paddingX={1} flexShrink={0}>
        <Rows rows={messageRows(state, columns - 2)} />
      </Box>
      <Rows rows={noteRows(view)} />
      <Rows rows={[row(span(` ${keyHint(state, entry, view.keys)}`, MUTED))]} />
    </Box>
  );
}

type DetailProps = {
  readonly entry: Extract<SettingsEntry, { kind: "setting" }> | undefined;
  readonly settings: SettingsState;
  readonly columns: number;
};

/**
 * The value being typed for the marked setting, above the setting's description, whose end is cut if there are few
 * rows.
 */
function Detail({ entry, settings, columns }: DetailProps) {
  if (!entry) return null;
  const { view } = entry;
  return (
    <>
      {settings.editing ? (
        <LineField label={[span(`${sanitiseLine(view.title)}: `, LABEL)]} text={settings.editing.text} />
      ) : null}
      <Rows rows={detailRows(view, settings.path, columns)} />
    </>
  );
}

type ListProps = {
  readonly state: SettingsScreenState;
  readonly entry: SettingsEntry | undefined;
  readonly columns: number;
};

function List({ state, entry, columns }: ListProps) {
  const { settings, keys } = state;
  const { hud } = useView();
  const provider = placeInUse(hud)?.replace("at ", "") ?? hud?.provider;
  const model = hud?.model;
  const isEmpty = shownEntries(state).length === 0;
  const rowsOf = useMemo(
    () =>
      keptForHeight((height) =>
        isEmpty ? [] : settingListRows(state, { columns, height, chosen: { provider, model } }),
      ),
    [state, isEmpty, columns, provider, model],
  );
  return (
    <Box flexDirection="column" paddingX={1} flexGrow={1}>
      <Title state={state} columns={columns} />
      <Rows rows={[EMPTY_ROW]} />
      {isEmpty ? <Themed tone="muted">{emptyText(state)}</Themed> : null}
      <PaintedRows paint={(_, { rows }) => ({ rows: rowsOf(rows) })} />
      <Box
        flexDirection="column"
        flexShrink={0}
        justifyContent="flex-end"
        marginTop={1}
        minHeight={entry?.kind === "provider" ? KEY_DETAIL_ROWS : 0}
      >
        {entry?.kind === "provider" ? (
          <KeyDetail provider={entry.provider} keys={keys} />
        ) : (
          <Detail entry={entry} settings={settings} columns={columns} />
        )}
      </Box>
    </Box>
  );
}
