import type { ServerLists } from "../connection/server-lists.ts";

export type McpServerState = "off" | "starting" | "ready" | "failed" | "needs-login" | "needs-trust";

/** The current state of a server for others: a new object after each change. */
export type McpServerView = ServerLists & {
  readonly name: string;
  /** The file that names it. */
  readonly from: string;
  readonly state: McpServerState;
  /** Why it failed, and what to do; a sentence. */
  readonly problem?: string;
  readonly era?: "legacy" | "modern";
  readonly version?: string;
  /** Its own instructions for use. */
  readonly instructions?: string;
};
