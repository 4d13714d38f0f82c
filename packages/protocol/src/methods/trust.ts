import * as z from "zod";
import { request } from "./table.ts";

/** Something in a repository that would run or change the behaviour of harness once the folder is trusted. */
export const TrustItem = z.object({
  kind: z.enum([
    "settings",
    "policies",
    "environment",
    "provider",
    "hook",
    "tool",
    "command",
    "mcp",
    "skill",
    "agent",
    "prompt",
    "other",
    "nested",
  ]),
  /** Relative to the root. */
  path: z.string(),
  /** For people: the whole command line, the changed settings. */
  detail: z.string(),
  /** The full program or prompt that `detail` only summarises; the same bytes that `hash` covers. */
  whole: z.string().optional(),
  /** Since the folder was last trusted; absent if it never was. */
  change: z.enum(["added", "changed", "removed"]).optional(),
  /** Its folder was trusted and this item has changed: it is not used until it is trusted again. The others are. */
  off: z.boolean().optional(),
});
export type TrustItem = z.infer<typeof TrustItem>;

/** A trusted model provider of a project, and the secrets that it asks for: it gets those that the user granted. */
export const ProviderSecrets = z.object({
  provider: z.string(),
  /** The file of the provider: relative to the root, or absolute if outside of it. */
  path: z.string(),
  /** Of the file; a decision applies to exactly this content. */
  hash: z.string(),
  variables: z.array(
    z.object({
      name: z.string(),
      /** Whether the user has such a variable. */
      set: z.boolean(),
      /** `undecided` is withheld as well. */
      state: z.enum(["granted", "withheld", "undecided"]),
    }),
  ),
});
export type ProviderSecrets = z.infer<typeof ProviderSecrets>;

export const TrustView = z.object({
  /** Real path of the repository's root, or of the folder if it is not in one. */
  root: z.string(),
  /**
   * `nothing`: there is nothing to trust. `changed`: it was trusted, but has changed since. `session`: only for this
   * run.
   */
  state: z.enum(["nothing", "trusted", "session", "untrusted", "changed", "refused"]),
  items: z.array(TrustItem),
  /** Covers the content of all items; only exactly this content is trusted. */
  hash: z.string(),
  /** A hook that judges calls is off or missing: each call is asked about until the content is decided about. */
  callsWait: z.boolean().optional(),
  /** Why it cannot be trusted for good, such as a home folder. */
  refusal: z.string().optional(),
  /** Those of trusted providers; what a provider program asks for is known only once it may run. */
  secrets: z.array(ProviderSecrets).optional(),
});
export type TrustView = z.infer<typeof TrustView>;

export const trustMethods = {
  "trust/get": request({
    doc: "Files of a folder that would run or change the behaviour of harness, and whether they are trusted. Untrusted files have no effect.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ cwd: z.string() }),
    result: TrustView,
  }),
  "trust/set": request({
    doc: "Trusts exactly this content, for good or while the server runs, or refuses it. `conflict`: it has changed in the meantime.",
    lane: "global",
    idempotent: true,
    access: "control",
    params: z.object({ cwd: z.string(), hash: z.string(), decision: z.enum(["trust", "session", "refuse", "forget"]) }),
    result: TrustView,
  }),
  "trust/grant": request({
    doc: "Grants a trusted model provider of the project these variables of those that it asks for, and withholds the others. Lasts as long as the trust, until the provider's file changes or it asks for more. `conflict`: the file has changed.",
    lane: "global",
    idempotent: true,
    access: "control",
    params: z.object({ cwd: z.string(), provider: z.string(), hash: z.string(), names: z.array(z.string()) }),
    result: TrustView,
  }),
};
