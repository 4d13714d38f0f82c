import type { SetupOption } from "@harness/client";
import type { ModelView } from "@harness/protocol";
import { overlayState } from "../../state/overlay-state.ts";
import type { SetupPage } from "./setup-page.ts";

/** The list of models, and the ways to get one; `models` is undefined while they are being fetched. */
export type ModelPicker = {
  readonly kind: "models";
  readonly models: readonly ModelView[] | undefined;
  readonly options: readonly SetupOption[];
  /** The page of the chosen way. */
  readonly page: SetupPage | undefined;
  readonly problems: readonly string[];
  readonly filter: string;
  readonly selected: number;
};

export const modelPicker = overlayState<ModelPicker>("models");
