import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { sinceTime } from "../../command-line/since-time.ts";
import type { SubcommandContext } from "../run-subcommand.ts";

type SessionFilters = { folder?: string; model?: string; since?: string; archived?: true };

/** The filters of lists and searches, from their flags. */
export function sessionFilters({ line, cwd }: Pick<SubcommandContext, "line" | "cwd">): SessionFilters {
  const folder = line.value("folder");
  const model = line.value("model");
  const since = sinceTime(line.value("since"), Date.now());
  return {
    ...(folder === undefined ? {} : { folder: realFolder(resolve(cwd, folder)) }),
    ...(model === undefined ? {} : { model }),
    ...(since === undefined ? {} : { since }),
    ...(line.has("archived") ? { archived: true } : {}),
  };
}

/** A folder that is gone still has its sessions. */
function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
