import type { ProviderView, SettingView } from "@harness/protocol";
import { EMPTY_ROW, padRow, type Row, row, type Span, sanitiseLine, span, style, wrapSpans } from "../../text/index.ts";
import { listMarker } from "../../widgets/boxes.ts";
import { listWindow } from "../../widgets/list-slice.ts";
import { credentialsOf, credentialText, type KeysState } from "./credentials-state.ts";
import { type SettingsEntry, shownEntries } from "./entries.ts";
import { isUnset, valueText } from "./shown-value.ts";
import { effectWords, type SettingsScreenState, type SettingsState } from "./state.ts";

const BOLD = style({ bold: true });
const HEADING = style({ fg: "accent", bold: true });
const MUTED = style({ fg: "muted" });
const CHANGED = style({ fg: "accent" });
const ERROR = style({ fg: "error" });
const WARNING = style({ fg: "warning" });

const NAME_COLUMNS = 38;
const KEY_COLUMNS = 28;
/** From this width on, the name in the file has a column of its own. */
const WIDE = 104;

/** Values that harness chose by itself, by the key of the setting for them. */
type ChosenValues = Readonly<Record<string, string | undefined>>;

type ListOptions = { readonly columns: number; readonly height: number; readonly chosen: ChosenValues };

type Line = { readonly row: Row; readonly entry?: number };

/** As much of the list as fits: group headings, settings and providers; always includes the marked one. */
export function settingListRows(state: SettingsScreenState, { columns, height, chosen }: ListOptions): Row[] {
  const { settings, keys } = state;
  const entries = shownEntries(state);
  const lines: Line[] = entries.flatMap((entry, at) => [
    ...(entry.group === entries[at - 1]?.group ? [] : headingLines(entry.group, at)),
    ...entryRows(entry, { settings, keys, columns, chosen, isMarked: at === settings.selected }).map((each) => ({
      row: each,
      entry: at,
    })),
  ]);
  const markedLine = lines.findIndex(({ entry }) => entry === settings.selected);
  const { from, to } = listWindow(Math.max(0, markedLine), lines.length, height);
  return lines.slice(from, to).map((line) => line.row);
}

function headingLines(group: string, at: number): Line[] {
  return [...(at === 0 ? [] : [{ row: EMPTY_ROW }]), { row: row(span(group, HEADING)) }];
}

type SettingRowOptions = {
  readonly settings: SettingsState;
  readonly keys: KeysState;
  readonly columns: number;
  readonly chosen: ChosenValues;
  readonly isMarked: boolean;
};

function entryRows(entry: SettingsEntry, look: SettingRowOptions): Row[] {
  return entry.kind === "setting" ? settingRows(entry.view, look) : [providerRow(entry.provider, look)];
}

function nameSpans(title: string, key: string, { columns, isMarked }: SettingRowOptions): Span[] {
  const name = padRow(row(listMarker(sanitiseLine(title), { isMarked })), NAME_COLUMNS).spans;
  if (columns < WIDE) return [...name];
  return [...name, ...padRow(row(span(sanitiseLine(key), MUTED)), KEY_COLUMNS).spans];
}

function settingRows(view: SettingView, look: SettingRowOptions): Row[] {
  const { settings } = look;
  const { error } = settings;
  const name = nameSpans(view.title, view.key, look);
  const main = row(...name, ...valueSpans(view, look));
  const isRefused = error?.key === view.key;
  return isRefused ? [main, row(span(`  ${sanitiseLine(error.text)}`, ERROR))] : [main];
}

/** A default is dim; a changed value is marked, with the file that changed it. */
function valueSpans(view: SettingView, { isMarked, chosen }: SettingRowOptions): Span[] {
  const used = isUnset(view.value) ? chosen[view.key] : undefined;
  const text = sanitiseLine(used === undefined ? valueText(view.value) : `(not set: ${used} is used)`);
  const isChanged = view.source !== "default";
  const cycles = isMarked && (view.type === "choice" || view.type === "boolean");
  const value = cycles ? `‹ ${text} ›` : text;
  if (!isChanged) return [span(`  ${value}`, isMarked ? BOLD : MUTED)];
  return [span("• ", CHANGED), span(value, isMarked ? BOLD : undefined), span(`  ${sourceText(view)}`, MUTED)];
}

/** Where a value that is not the default comes from. */
function sourceText({ source, overriddenBy }: SettingView): string {
  if (source === "user") return "settings.json";
  return source === "project" ? "project" : sanitiseLine(overriddenBy ?? source);
}

/** A provider with the key or login in use, masked. */
function providerRow(provider: ProviderView, look: SettingRowOptions): Row {
  const [first, ...others] = credentialsOf(look.keys, provider.id);
  const more = others.length > 0 ? `  +${others.length}` : "";
  const name = nameSpans(provider.name, provider.id, look);
  const ready = span(provider.ready ? "  ready" : "", MUTED);
  if (!first) return row(...name, span("  (none)", MUTED), ready);
  const text = sanitiseLine(`${credentialText(first)}${more}`);
  return row(...name, span("• ", CHANGED), span(text, look.isMarked ? BOLD : undefined), ready);
}

/** The meaning of the marked setting, its default, and when a change takes effect. */
export function detailRows(view: SettingView, path: string, columns: number): Row[] {
  const wrapped = (text: string, look?: Span["style"]): Row[] => wrapSpans([span(sanitiseLine(text), look)], columns);
  const choices = view.choices?.map((each) => each || "(not set)").join(", ");
  const facts = [
    `Default: ${valueText(view.default)}${choices ? `. One of: ${choices}` : ""}.`,
    ...(view.type === "list" ? ["Separate entries with commas."] : []),
    ...(view.own === undefined ? [] : [`The project adds to yours: ${valueText(view.own)}.`]),
  ];
  return [
    ...wrapped(view.doc.replaceAll("`", "")),
    ...wrapped(facts.join(" "), MUTED),
    ...wrapped(
      `${view.key} in ${path === "" ? "settings.json" : path}; a change ${effectWords[view.takesEffect]}.`,
      MUTED,
    ),
    ...(view.overriddenBy ? wrapped(`${view.overriddenBy} takes precedence over what is saved here.`, WARNING) : []),
  ];
}
