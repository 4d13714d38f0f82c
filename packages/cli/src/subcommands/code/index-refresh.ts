import { indexText } from "@harness/client/actions";
import { amount, type Result, type ServerMethods } from "@harness/protocol";
import type { SubcommandContext, SubcommandHandler } from "../run-subcommand.ts";
import { IndexProgressLine, IndexProgressNotes } from "./index-progress.ts";

/** `harness index`: makes the search index of the folder, or brings it up to date; returns when it is complete. */
export const indexSubcommand: SubcommandHandler = async (visit) => {
  const { line, say } = visit;
  const refreshed = await refreshFolderIndex(visit, { rebuild: line.has("rebuild") });
  if (line.has("json")) {
    say(JSON.stringify(refreshed));
    return "done";
  }
  const { index, indexed, removed, fallbacks } = refreshed;
  const changes =
    indexed + removed === 0 ? "Nothing has changed" : `${amount(indexed, "file")} indexed, ${removed} removed`;
  const broken = fallbacks > 0 ? ` Not parsed, being broken or too large: ${amount(fallbacks, "file")}.` : "";
  say(
    `${changes}. The index has ${indexText(index)}.${broken}\nSearch it with: harness search "where are retries limited?"`,
  );
  return "done";
};

/** Brings the index up to date, with its progress on stderr. */
export async function refreshFolderIndex(
  { client, cwd, notices, note, stopping }: SubcommandContext,
  { rebuild }: { rebuild: boolean } = { rebuild: false },
): Promise<Result<ServerMethods, "index/refresh">> {
  const progress = process.stderr.isTTY ? new IndexProgressLine() : new IndexProgressNotes(note);
  notices["index/progress"] = (update) => progress.show(update);
  try {
    return await client.call("index/refresh", { cwd, rebuild }, { signal: stopping.signal });
  } finally {
    progress.end();
    delete notices["index/progress"];
  }
}
