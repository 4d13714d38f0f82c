import { amount, type CodeHit } from "@harness/protocol";
import { misused, type ServerCommand } from "../server-command.ts";
import { indexingLine } from "./indexing-line.ts";

const LIMIT = 10;
const WAIT_MS = 10_000;

export const searchCommand: ServerCommand = {
  description: "Find code in plain words, with the index of this folder.",
  argumentHint: "WORDS",
  needsSession: false,
  async run({ workspace, host }, args) {
    if (args === "") throw misused("Type /search and what the code does, such as /search where retries are limited.");
    const answer = await workspace.index.search({ query: args, limit: LIMIT }, WAIT_MS);
    if ("problem" in answer) return { text: answer.problem, exitCode: 1 };
    const { results, index, reranked } = answer;
    const running = indexingLine(workspace.index.progress, host.records.codeSearch);
    const stale = index.fresh ? [] : [running ?? "Some files have changed since they were indexed."];
    if (reranked?.problem !== undefined) stale.push(`Not reranked: ${reranked.problem}`);
    if (results.length === 0) return [`No match for ${args} in ${amount(index.files, "file")}.`, ...stale].join("\n");
    return [...results.map(hitLine), ...stale].join("\n");
  },
};

function hitLine({ path, collection, startLine, endLine, why, signatures }: CodeHit): string {
  const definition = signatures.at(-1);
  const from = collection === undefined ? "" : `[${collection}] `;
  return `${from}${path}:${startLine}-${endLine}${definition === undefined ? "" : `  ${definition}`}\n    ${why.join(" · ")}`;
}
