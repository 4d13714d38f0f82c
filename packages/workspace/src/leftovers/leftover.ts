import type { PolicyRule } from "@harness/gate";
import type { AgentDefinition, Leftover, SettingKey } from "@harness/protocol";

/** The change that importing one thing makes. */
type LeftoverChange =
  | { readonly kind: "setting"; readonly key: SettingKey; readonly value: unknown }
  | { readonly kind: "policy"; readonly rule: PolicyRule }
  | { readonly kind: "agent"; readonly definition: AgentDefinition }
  | { readonly kind: "prompt"; readonly part: string; readonly text: string }
  | { readonly kind: "session"; readonly paths: readonly string[] };

/** Something that another program left behind. Without a change it cannot be imported, and `why` gives the reason. */
export type FoundLeftover = Leftover & { readonly change?: LeftoverChange };

export type LeftRow = Readonly<Record<string, unknown>>;
