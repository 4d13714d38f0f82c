import type { PermissionMode } from "@harness/protocol";
import type { Grant } from "./answers/grant.ts";
import type { ToolCategory } from "./gate-call.ts";
import type { NeedOptions } from "./need.ts";
import type { MovedRoot } from "./places/root-ledger.ts";
import type { SandboxView } from "./ports/sandbox.ts";
import type { ResolvedEffect } from "./resolved-effect.ts";
import type { Rule } from "./rules/rule.ts";

/** Everything that a decision depends on. The tool and the arguments have already been validated. */
export type GateQuery = NeedOptions & {
  tool: string;
  category: ToolCategory;
  effects: readonly ResolvedEffect[];
  permissionMode: PermissionMode;
  /** Every rule in force, from any source. */
  rules: readonly Rule[];
  grants: readonly Grant[];
  /** Why nothing is allowed unasked, such as an unreadable rule, so that no denial is lost silently. */
  everythingAsks: string | undefined;
  /** Why the agent's mode does not offer the tool, for the model. */
  notOffered: string | undefined;
  /** A hook's reason to refuse the call, as the end of a sentence about it. */
  hookDenial: string | undefined;
  sandbox: Pick<SandboxView, "wanted" | "active" | "why">;
  canAsk: boolean;
  /** True if its writes stay outside the workspace until the user has reviewed them. */
  isStaged: boolean;
  /** True if the model wrote the call as text instead of making it: text that it read may have suggested the words. */
  foundInText: boolean;
  /** Workspace folders that lead to a different place than when the session was opened. */
  movedRoots: readonly MovedRoot[];
};
