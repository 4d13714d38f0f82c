import {
  amount,
  type CallParams,
  type CodeAnswer,
  type CodeHit,
  ProtocolError,
  type ServerMethods,
  visibleText,
} from "@harness/protocol";
import { CliError } from "../../process/exit-codes.ts";
import { visibleCode } from "../../text/visible-code.ts";
import type { SubcommandContext, SubcommandHandler } from "../run-subcommand.ts";
import { refreshFolderIndex } from "./index-refresh.ts";

/** Changed files are indexed before the search, however long that takes: a script counts on it. */
const WAIT_MS = 600_000;
const SHOWN_LINES = 12;
const MAX_QUERY = 4_000;

/** `harness search QUERY`: code of the folder that fits plain words. Makes the index if there is none. */
export const searchSubcommand: SubcommandHandler = async (visit) => {
  const { line, say, note } = visit;
  const query = line.positionals.join(" ").trim();
  if (query === "")
    throw new CliError("usage", 'Give words to search for: harness search "where are retries limited?"');
  if (query.length > MAX_QUERY) throw new CliError("usage", `A query has at most ${MAX_QUERY} characters.`);
  const { results, index, reranked } = await search(visit, query);
  if (line.has("json")) {
    const { files, chunks, embedder, fresh } = index;
    const state = { files, chunks, embedder, fresh };
    say(JSON.stringify({ results: results.map(resultOf), index: state, ...(reranked && { reranked }) }));
    return "done";
  }
  if (results.length === 0) say(`No match for ${visibleText(query)} in ${amount(index.files, "file")}.`);
  else say(results.map(hitText).join("\n\n"));
  if (reranked?.problem !== undefined) note(`harness: Not reranked. ${visibleText(reranked.problem)}`);
  if (!index.fresh) note("harness: Files have changed since they were indexed; these may be missing.");
  return "done";
};

async function search(visit: SubcommandContext, query: string): Promise<CodeAnswer> {
  const { client, note, stopping } = visit;
  const ask = () => client.call("index/search", queryOf(visit, query), { signal: stopping.signal });
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ProtocolError && error.kind === "not_found")) throw error;
    note("harness: This folder has no index yet. It is made now.");
    await refreshFolderIndex(visit);
    return ask();
  }
}

function queryOf({ cwd, line }: SubcommandContext, query: string): CallParams<ServerMethods, "index/search"> {
  const limit = line.value("limit");
  if (limit !== undefined && !(/^\d{1,3}$/.test(limit) && Number(limit) > 0 && Number(limit) <= 100))
    throw new CliError("usage", `--limit takes a number from 1 to 100, not "${limit}".`);
  const [path, language, collection] = [line.value("path"), line.value("language"), line.value("in")];
  return {
    cwd,
    query,
    waitMs: WAIT_MS,
    ...(limit !== undefined && { limit: Number(limit) }),
    ...(path !== undefined && { path }),
    ...(language !== undefined && { language }),
    ...(collection !== undefined && { collection }),
  };
}

/** The form that scripts rely on. */
function resultOf({ path, collection, startLine, endLine, score, why, text }: CodeHit) {
  return { path, ...(collection !== undefined && { collection }), startLine, endLine, score, why, text };
}

function hitText({ path, collection, startLine, endLine, score, why, text }: CodeHit): string {
  const lines = text.split("\n");
  const shown = lines.slice(0, SHOWN_LINES).map((each) => `    ${visibleCode(each)}`);
  if (lines.length > SHOWN_LINES) shown.push(`    … ${lines.length - SHOWN_LINES} more lines`);
  const from = collection === undefined ? "" : `[${visibleText(collection)}] `;
  return `${from}${visibleText(path)}:${startLine}-${endLine}  ${score.toFixed(2)}  ${visibleText(why.join(" · "))}\n${shown.join("\n")}`;
}
