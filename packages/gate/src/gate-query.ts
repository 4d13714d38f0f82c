import type { PermissionMode } from "@harness/protocol";
import type { Grant } from "./answers/grant.ts";
import type { ToolCategory } from "./gate-call.ts";
import type { NeedOptions } from "./need.ts";
import type { MovedRoot } from "./places/root-ledger.ts";
import type { SandboxView } from "./ports/sandbox.ts";
import type { ResolvedEffect } from "./resolved-effect.ts";
import type { Rule } from "./rules/rule.ts";

/** All that a decision depends on. Known tool and valid arguments were checked before. */
export type GateQuery = NeedOptions & {
  tool: string;
  category: ToolCategory;
  effects: readonly ResolvedEffect[];
  permissionMode: PermissionMode;
  /** Every rule in force, from wherever it comes. */
  rules: readonly Rule[];
  grants: readonly Grant[];
  /** Why nothing is allowed unasked, such as a rule that cannot be read, so that no denial is dropped in silence. */
  everythingAsks: string | undefined;
  /** Why the agent's mode does not have the tool, for the model. */
  notOffered: string | undefined;
  /** A hook's reason to refuse the call, as the end of a sentence about it. */
  hookDenial: string | undefined;
  sandbox: Pick<SandboxView, "wanted" | "active" | "why">;
  canAsk: boolean;
  /** Its writes are kept beside the workspace until a person has reviewed them. */
  isStaged: boolean;
  /** The model did not call the tool, it wrote a call as text: what it read may have put the words into its mouth. */
  foundInText: boolean;
  /** Folders of the workspace that lead elsewhere than when the session was opened. */
  movedRoots: readonly MovedRoot[];
};
