import type { SettingView } from "@harness/protocol";
import { Box } from "ink";
import TextInput from "ink-text-input";
import { HudLine } from "../components/hud-line.tsx";
import { listWindow } from "../components/list-window.ts";
import { Notes } from "../components/notes.tsx";
import { Themed } from "../components/themed.tsx";
import { type SettingsState, valueText } from "../state/settings-list.ts";
import { sanitiseLine } from "../text/index.ts";
import type { ScreenProps } from "./screen-props.ts";

const NAME_COLUMNS = 24;
/** Rows besides the list: title, detail, problems, keys, numbers. */
const OTHER_ROWS = 13;

type RowProps = {
  readonly setting: SettingView;
  readonly marked: boolean;
  readonly settings: SettingsState;
  readonly onEdit: (text: string) => void;
};

function SettingRow({ setting, marked, settings, onEdit }: RowProps) {
  const { editing, error } = settings;
  const cycles = marked && (setting.type === "choice" || setting.type === "boolean");
  const value = valueText(setting.value);
  return (
    <Box flexDirection="column">
      <Box>
        <Box width={NAME_COLUMNS} flexShrink={0}>
          <Themed tone={marked ? "accent" : undefined} bold={marked}>
            {`${marked ? "› " : "  "}${setting.key}`}
          </Themed>
        </Box>
        {marked && editing !== undefined ? (
          <TextInput value={editing} onChange={onEdit} placeholder="empty" />
        ) : (
          <Themed bold={marked}>{sanitiseLine(cycles ? `‹ ${value} ›` : value)}</Themed>
        )}
        <Themed tone="muted">{setting.source === "default" ? "  (default)" : `  ${setting.source}`}</Themed>
      </Box>
      {error?.key === setting.key ? (
        <Box paddingLeft={NAME_COLUMNS}>
          <Themed tone="error" wrap="wrap">
            {sanitiseLine(error.text)}
          </Themed>
        </Box>
      ) : null}
    </Box>
  );
}

function Detail({ setting }: { readonly setting: SettingView | undefined }) {
  if (!setting) return null;
  const choices = setting.choices?.map((each) => each || "(none)").join(", ");
  return (
    <Box flexDirection="column">
      <Themed wrap="wrap">{setting.doc}</Themed>
      <Themed
        tone="muted"
        wrap="wrap"
      >{`Default: ${sanitiseLine(valueText(setting.default))}${choices ? `. One of: ${choices}` : ""}`}</Themed>
      {setting.overriddenBy ? (
        <Themed
          tone="warning"
          wrap="wrap"
        >{`${sanitiseLine(setting.overriddenBy)} is stronger than what is saved here.`}</Themed>
      ) : null}
    </Box>
  );
}

/** Every setting: value, where it comes from, default; changed in place and saved at once. */
export function Settings({ view, onEdit }: ScreenProps) {
  const { settings, size } = view;
  const { views, selected, editing } = settings;
  const { from, to } = listWindow(selected, views?.length ?? 0, size.rows - OTHER_ROWS);
  const keys =
    editing === undefined
      ? "↑↓ move · Enter type · ←→ choose · Backspace default · Esc back"
      : "Enter save · Esc leave as it was";
  return (
    <Box flexDirection="column" height={size.rows} width={size.columns}>
      <Box paddingX={1} flexDirection="column" flexGrow={1} overflow="hidden">
        <Themed bold>Settings</Themed>
        <Themed tone="muted">{sanitiseLine(settings.path)}</Themed>
        <Box height={1} />
        {views ? null : <Themed tone="muted">Reading the settings…</Themed>}
        {(views ?? []).slice(from, to).map((setting, at) => (
          <SettingRow
            key={setting.key}
            setting={setting}
            marked={from + at === selected}
            settings={settings}
            onEdit={onEdit}
          />
        ))}
        <Box height={1} />
        <Detail setting={views?.[selected]} />
        {settings.saved ? (
          <Themed tone="success" wrap="wrap">
            {sanitiseLine(settings.saved)}
          </Themed>
        ) : null}
        {settings.problems.map((problem) => (
          <Themed key={problem} tone="warning" wrap="wrap">
            {sanitiseLine(problem)}
          </Themed>
        ))}
      </Box>
      <Notes link={view.link} notes={view.notes} />
      <Themed tone="muted">{` ${keys}`}</Themed>
      <HudLine view={view} />
    </Box>
  );
}
