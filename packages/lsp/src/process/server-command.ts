import type { GroupCommand } from "@harness/host";
import type { ServerRow } from "../rows/server-row.ts";

/** A server that can be started. `cwd`: its root. */
export type LanguageServerCommand = GroupCommand & { readonly row: ServerRow };
