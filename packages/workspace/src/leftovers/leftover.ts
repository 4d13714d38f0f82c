import type { PolicyRule } from "@harness/gate";
import type { AgentDefinition, Leftover, SettingKey } from "@harness/protocol";

/** The change that taking over one thing makes here. */
type LeftoverChange =
  | { readonly kind: "setting"; readonly key: SettingKey; readonly value: unknown }
  | { readonly kind: "policy"; readonly rule: PolicyRule }
  | { readonly kind: "agent"; readonly definition: AgentDefinition }
  | { readonly kind: "prompt"; readonly part: string; readonly text: string }
  | { readonly kind: "session"; readonly paths: readonly string[] };

/** Something that another program left in its place. Without a change it does not come, and `why` says the reason. */
export type FoundLeftover = Leftover & { readonly change?: LeftoverChange };

export type LeftRow = Readonly<Record<string, unknown>>;
