import { byteCount, indexProgressText, indexText } from "@harness/client/actions";
import { amount } from "@harness/protocol";
import type { SubcommandHandler } from "../run-subcommand.ts";

/** `harness index status`: what the index of the folder has, and whether it is up to date. */
export const indexStatusSubcommand: SubcommandHandler = async ({ client, cwd, line, say }) => {
  const { index, progress } = await client.call("index/status", { cwd });
  if (line.has("json")) say(JSON.stringify({ index: index ?? null, ...(progress && { progress }) }));
  else if (!index) say("This folder has no index. Make one with: harness index");
  else {
    const state = index.fresh ? "up to date" : "not up to date: harness index";
    const broken =
      index.fallbacks > 0 ? `\nNot parsed, being broken or too large: ${amount(index.fallbacks, "file")}.` : "";
    say(`${indexText(index)}, ${byteCount(index.sizeBytes)}, ${state}.${broken}`);
    if (index.embedderProblem !== undefined) say(`Vectors are missing: ${index.embedderProblem}`);
    if (progress) say(`It is being brought up to date: ${indexProgressText(progress)}`);
  }
  return "done";
};
