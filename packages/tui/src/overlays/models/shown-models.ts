import type { SetupOption } from "@harness/client";
import type { ModelView } from "@harness/protocol";
import type { ModelPicker } from "./state.ts";

export type PickerEntry = { readonly model: ModelView } | { readonly option: SetupOption };

export function modelLabel({ provider, model }: Pick<ModelView, "provider" | "model">): string {
  return `${provider}/${model}`;
}

/** The list rows that match the filter: models, then ways to get others. A name that no model has can be downloaded. */
export function pickerEntries({ models, options, filter }: ModelPicker): readonly PickerEntry[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  // The models of a server that answers are listed themselves.
  const others = options.filter(({ kind }) => kind !== "server" || models?.length === 0);
  const shown = (models ?? []).filter((model) => fits(`${modelLabel(model)} ${model.place ?? ""}`));
  const isUnknown = models !== undefined && shown.length === 0;
  return [
    ...shown.map((model) => ({ model })),
    ...others
      .filter(({ kind, label, detail }) => fits(`${label} ${detail}`) || (kind === "pull" && isUnknown))
      .map((option) => ({ option })),
  ];
}

/** The filter as a model name; empty if it contains a space or matches the option itself. */
export function wantedName({ filter }: ModelPicker, { label }: SetupOption): string {
  const name = filter.trim();
  return /\s/.test(name) || label.toLowerCase().includes(name.toLowerCase()) ? "" : name;
}
