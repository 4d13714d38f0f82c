import type { SettingView } from "@harness/protocol";
import { Box } from "ink";
import TextInput from "ink-text-input";
import type { ChromeView } from "../../state/chrome-view.ts";
import type { Store } from "../../state/store.ts";
import { sanitiseLine } from "../../text/index.ts";
import { listWindow } from "../../widgets/list-slice.ts";
import { noteRows } from "../../widgets/note-rows.ts";
import { RowList, RowName, Themed } from "../../widgets/themed.tsx";
import type { ScreenProps } from "../screen.ts";
import { KeyDetail, KeyRow, LoginPanel } from "./credential-rows.tsx";
import {
  changeEdited,
  type SettingsScreenState,
  type SettingsState,
  selectedProvider,
  settingsSlice,
  valueText,
} from "./state.ts";

const NAME_COLUMNS = 28;
/** Rows besides the list: title, detail, problems, keys, HUD. */
const OTHER_ROWS = 13;

type RowProps = {
  readonly setting: SettingView;
  readonly marked: boolean;
  readonly settings: SettingsState;
  readonly store: Store;
};

function SettingRow({ setting, marked, settings, store }: RowProps) {
  const { editing, error } = settings;
  const onChange = (text: string): void => changeEdited(store, text);
  const cycles = marked && (setting.type === "choice" || setting.type === "boolean");
  const value = valueText(setting.value);
  const isTyped = marked && editing !== undefined;
  return (
    <Box flexDirection="column">
      <Box>
        <Box width={NAME_COLUMNS} flexShrink={0}>
          <RowName marked={marked}>{setting.key}</RowName>
        </Box>
        {isTyped ? (
          <TextInput value={editing} onChange={onChange} placeholder="empty" />
        ) : (
          <Themed bold={marked}>{sanitiseLine(cycles ? `‹ ${value} ›` : value)}</Themed>
        )}
        <Box flexShrink={0}>
          <Themed tone="muted">{`  ${isTyped ? "(not saved yet)" : sourceText(setting)}`}</Themed>
        </Box>
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

/** Where a value comes from. */
function sourceText({ source }: SettingView): string {
  return source === "default" ? "(default)" : source;
}

function Detail({ setting }: { readonly setting: SettingView | undefined }) {
  if (!setting) return null;
  const choices = setting.choices?.map((each) => each || "(not set)").join(", ");
  return (
    <Box flexDirection="column">
      <Themed wrap="wrap">{setting.doc}</Themed>
      <Themed
        tone="muted"
        wrap="wrap"
      >{`Default: ${sanitiseLine(valueText(setting.default))}${choices ? `. One of: ${choices}` : ""}`}</Themed>
      {setting.takesEffect === "new sessions" ? (
        <Themed tone="muted" wrap="wrap">
          A change counts for new sessions, not for those that are open.
        </Themed>
      ) : null}
      {setting.type === "list" ? (
        <Themed tone="muted" wrap="wrap">
          {`Separate entries with commas.${setting.own === undefined ? "" : ` The project adds to yours: ${sanitiseLine(valueText(setting.own))}.`}`}
        </Themed>
      ) : null}
      {setting.overriddenBy ? (
        <Themed
          tone="warning"
          wrap="wrap"
        >{`${sanitiseLine(setting.overriddenBy)} takes precedence over what is saved here.`}</Themed>
      ) : null}
    </Box>
  );
}

/** The settings and below them the credentials of the providers, as many rows as fit. */
function SettingList({ view, store }: { readonly view: ChromeView; readonly store: Store }) {
  const { size } = view;
  const { settings, keys } = settingsSlice.of(view);
  const { views = [], selected } = settings;
  const { providers = [] } = keys;
  const room = size.rows - OTHER_ROWS - (providers.length > 0 ? 1 : 0);
  const { from, to } = listWindow(selected, views.length + providers.length, room);
  const shown = providers.slice(Math.max(0, from - views.length), Math.max(0, to - views.length));
  const provider = selectedProvider({ settings, keys });
  return (
    <Box flexDirection="column">
      <Themed bold>Settings</Themed>
      <Themed tone="muted">{sanitiseLine(settings.path)}</Themed>
      <Box height={1} />
      {settings.views ? null : <Themed tone="muted">Reading the settings…</Themed>}
      {views.slice(from, to).map((setting, at) => (
        <SettingRow
          key={setting.key}
          setting={setting}
          marked={from + at === selected}
          settings={settings}
          store={store}
        />
      ))}
      {shown.length > 0 ? <Themed bold>Keys and logins</Themed> : null}
      {shown.map((each) => (
        <KeyRow key={each.id} provider={each} marked={each === provider} keys={keys} />
      ))}
      <Box height={1} />
      {provider ? (
        <KeyDetail provider={provider} keys={keys} columns={size.columns - 2} />
      ) : (
        <Detail setting={views[selected]} />
      )}
    </Box>
  );
}

/** The hint about the keys for the marked row. */
function keyHint({ settings, keys }: SettingsScreenState): string {
  if (keys.work?.kind === "login") return "Enter sends it · Esc cancels the login";
  if (keys.work?.kind === "typing") return "Enter stores it · Esc cancels";
  if (keys.work?.kind === "removing") return "y removes it · any other key keeps it";
  if (settings.editing !== undefined) return "Enter save · Esc cancel";
  const provider = selectedProvider({ settings, keys });
  if (provider?.login) return "↑↓ move · Enter or l log in · d remove · Esc back";
  if (provider) return "↑↓ move · Enter type a key · d remove · Esc back";
  return "↑↓ move · Enter type · ←→ choose · Backspace default · Esc back";
}

/** Every setting: value, where it comes from, default; changed in place and saved at once. */
export function Settings({ view, height, store }: ScreenProps) {
  const { size } = view;
  const { settings, keys } = settingsSlice.of(view);
  const { work } = keys;
  return (
    <Box flexDirection="column" height={height} width={size.columns}>
      <Box flexDirection="column" flexGrow={1} overflow="hidden">
        {work?.kind === "login" ? <LoginPanel work={work} columns={size.columns} /> : null}
        <Box paddingX={1} flexDirection="column">
          {work?.kind === "login" ? null : <SettingList view={view} store={store} />}
          {settings.saved ? (
            <Themed tone="success" wrap="wrap">
              {sanitiseLine(settings.saved)}
            </Themed>
          ) : null}
          {keys.message ? (
            <Themed tone={keys.message.severity} wrap="wrap">
              {sanitiseLine(keys.message.text)}
            </Themed>
          ) : null}
          {[...settings.problems, ...keys.problems].map((problem) => (
            <Themed key={problem} tone="warning" wrap="wrap">
              {sanitiseLine(problem)}
            </Themed>
          ))}
        </Box>
      </Box>
      <RowList rows={noteRows(view)} />
      <Themed tone="muted">{` ${keyHint({ settings, keys })}`}</Themed>
    </Box>
  );
}
