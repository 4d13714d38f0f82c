import { indexText } from "@harness/client/actions";
import { amount, ProtocolError, type Result, type ServerMethods } from "@harness/protocol";
import { CliError } from "../../process/exit-codes.ts";
import type { SubcommandContext, SubcommandHandler } from "../run-subcommand.ts";
import { chooseSearchModel } from "./choose-search-model.ts";
import { IndexProgressNotes, indexProgressBar } from "./index-progress.ts";

/** `harness index`: makes the search index of the folder, or brings it up to date; returns when it is complete. */
export const indexSubcommand: SubcommandHandler = async (visit) => {
  const { line, say, note } = visit;
  for (const role of ["embedder", "reranker"] as const) {
    const name = line.value(role);
    if (name === undefined || (await chooseSearchModel(visit, { role, name }))) continue;
    note(`Nothing was sent, and the ${role} is as before.`);
    return "config";
  }
  await noteStore(visit);
  const refreshed = await refreshFolderIndex(visit, { rebuild: line.has("rebuild") });
  if (line.has("json")) {
    say(JSON.stringify(refreshed));
    return "done";
  }
  const { index, indexed, removed, fallbacks, embedderProblem } = refreshed;
  const changes =
    indexed + removed === 0 ? "Nothing has changed" : `${amount(indexed, "file")} indexed, ${removed} removed`;
  const broken = fallbacks > 0 ? ` Not parsed, being broken or too large: ${amount(fallbacks, "file")}.` : "";
  say(
    `${changes}. The index has ${indexText(index)}.${broken}\nSearch it with: harness search "where are retries limited?"`,
  );
  if (embedderProblem !== undefined) note(`Words are searched, but vectors are missing. ${embedderProblem}`);
  return "done";
};

/** Says before anything is sent who gets the text of the files. */
async function noteStore({ client, cwd, note }: SubcommandContext): Promise<void> {
  const { settings } = await client.call("settings/get", { cwd });
  const store = settings.find(({ key }) => key === "index_store")?.value;
  if (typeof store !== "string" || !URL.canParse(store)) return;
  note(`harness: The index is kept at ${new URL(store).host}, which gets the text of all indexed files.`);
}

/** Brings the index up to date, with its progress on stderr. */
export function refreshFolderIndex(
  visit: SubcommandContext,
  { rebuild }: { rebuild: boolean } = { rebuild: false },
): Promise<Result<ServerMethods, "index/refresh">> {
  const { client, cwd, stopping } = visit;
  return withProgress(visit, () => client.call("index/refresh", { cwd, rebuild }, { signal: stopping.signal }));
}

/** Shows how far indexing is while something waits for it. */
export async function withProgress<T>(
  { notices, note, progress }: Pick<SubcommandContext, "notices" | "note" | "progress">,
  work: () => Promise<T>,
): Promise<T> {
  const log = new IndexProgressNotes(note);
  notices["index/progress"] = (update) => (progress ? progress.write(indexProgressBar(update)) : log.show(update));
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProtocolError && error.kind === "cancelled")) throw error;
    throw new CliError("interrupted", "What is indexed by now is kept. The rest is done by: harness index");
  } finally {
    progress?.end();
    delete notices["index/progress"];
  }
}
