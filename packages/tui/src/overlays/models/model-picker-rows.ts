import { priceText, setupNotes, startableServers } from "@harness/client";
import type { ModelView } from "@harness/protocol";
import { placedModel } from "../../figures/model-place.ts";
import { shortCount } from "../../figures/short-count.ts";
import { hints } from "../../keymap/key-labels.ts";
import type { ChromeView } from "../../state/chrome-view.ts";
import { EMPTY_ROW, type Row, row, sanitiseLine, span, style } from "../../text/index.ts";
import { listMarker } from "../../widgets/boxes.ts";
import { listWindow } from "../../widgets/list-slice.ts";
import { optionRow, sentences } from "./setup-rows.ts";
import { type PickerEntry, pickerEntries } from "./shown-models.ts";
import type { ModelPicker } from "./state.ts";

const BOLD = style({ bold: true });
const MUTED = style({ fg: "muted" });
const WARNING = style({ fg: "warning" });

/** The models of every ready provider, then the ways to get others; the filter field is between the two. */
export function modelPickerRows(picker: ModelPicker, view: ChromeView): { title: Row; list: Row[]; keys: string } {
  const { size } = view;
  const columns = size.columns - 2;
  const { models, problems, selected } = picker;
  const entries = pickerEntries(picker);
  const isEmpty = models?.length === 0;
  const warnings = sentences(problems, columns, WARNING);
  const below = isEmpty ? emptyRows(view, columns) : [];
  // Title, filter, blank rows and the row of keys.
  const { from, to } = listWindow(selected, entries.length, size.rows - 8 - warnings.length - below.length);
  const shown = entries.slice(from, to);
  const list = [
    EMPTY_ROW,
    ...(models ? [] : [row(span("Asking the providers…", MUTED))]),
    ...(models && entries.length === 0 ? [row(span("No model matches the filter.", MUTED))] : []),
    ...shown.flatMap((each, at) => {
      // A blank row between the models and the ways to get others.
      const isFirstOption = "option" in each && at > 0 && "model" in (shown[at - 1] ?? {});
      return [...(isFirstOption ? [EMPTY_ROW] : []), entryRow(each, from + at === selected, view)];
    }),
    ...(below.length > 0 ? [EMPTY_ROW, ...below] : []),
    ...warnings,
  ];
  const move = view.keys.hint(["lists.up", "lists.down"], "move");
  const ends = [view.keys.hint("models.choose", "use"), view.keys.hint("set up.back", "back")];
  return { title: row(span(titleOf(picker, view), BOLD)), list, keys: hints(move, ...ends) };
}

function titleOf({ models }: ModelPicker, { held }: ChromeView): string {
  if (held && models?.length) return "Choose a model. Your message is sent to it.";
  if (held) return "No model yet. Your message stays in the input, and is sent when there is one.";
  return models?.length === 0 ? "No model yet" : "Model";
}

function entryRow(entry: PickerEntry, isMarked: boolean, { hud }: ChromeView): Row {
  if ("option" in entry) return optionRow(entry.option, { isMarked });
  const { model } = entry;
  const inUse = model.model === hud?.model && model.provider === hud?.provider ? ["in use"] : [];
  const facts = span(`  ${[...factsOf(model), ...inUse].join(" · ")}`, MUTED);
  return row(listMarker(sanitiseLine(placedModel(model)), { isMarked }), facts);
}

const BEGINNER = "New here? Install Ollama (https://ollama.com/download) and run `ollama pull qwen3-coder`.";

/** Notes on setting up local servers, and a hint that harness notices when one starts. */
export function emptyRows({ providers }: Pick<ChromeView, "providers">, columns: number): Row[] {
  if (!providers) return [];
  const names = startableServers(providers.views);
  const start = names === "" ? [] : [`Or start ${names}: harness notices it. ${BEGINNER}`];
  return [...sentences(setupNotes(providers.views), columns, WARNING), ...sentences(start, columns)];
}

/** Context window, price, abilities, and whether a server has it in memory. */
function factsOf({ windowTokens, price, abilities, loaded, loads, capabilities }: ModelView): string[] {
  const can = (["tools", "images", "thinking"] as const).filter((each) => abilities?.[each]);
  return [
    ...(windowTokens ? [`${shortCount(windowTokens)} tokens`] : []),
    price ? priceText(price) : "price unknown",
    ...(can.length > 0 ? [can.join(", ")] : []),
    ...(loaded ? ["loaded"] : []),
    ...(loads ? ["not loaded"] : []),
    ...(capabilities ? ["tested"] : []),
  ];
}
