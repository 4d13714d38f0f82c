import type { ModelView } from "@harness/protocol";
import type { ModelPicker } from "../../state/overlay.ts";

export function modelLabel({ provider, model }: Pick<ModelView, "provider" | "model">): string {
  return `${provider}/${model}`;
}

export function shownModels({ models, filter }: ModelPicker): readonly ModelView[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return (models ?? []).filter((each) => words.every((word) => modelLabel(each).toLowerCase().includes(word)));
}
