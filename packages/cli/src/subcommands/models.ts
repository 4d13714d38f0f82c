import { priceText } from "@harness/client";
import type { ModelView } from "@harness/protocol";
import { countText, textTable } from "../text/text-table.ts";
import type { SubcommandHandler } from "./run-subcommand.ts";

const HEADER = ["MODEL", "CONTEXT", "REPLY", "$ PER MILLION", "CAN", "NOTES"];

/** `harness models`: the models of all ready providers, or of one. */
export const modelsSubcommand: SubcommandHandler = async ({ client, line, say, note }) => {
  const [provider] = line.positionals;
  const found = await client.call("models/list", provider === undefined ? {} : { provider });
  for (const problem of found.problems) note(`harness: ${problem}`);
  if (line.has("json")) say(JSON.stringify(found));
  else if (found.models.length > 0) say(textTable(HEADER, found.models.map(modelRow)));
  if (found.models.length > 0) return "done";
  if (provider !== undefined) {
    if (found.problems.length === 0) note(`${provider} offers no model.`);
    return "config";
  }
  note("No provider has a model.");
  const { advice = [] } = await client.call("providers/list", {});
  for (const each of advice) note(each);
  return "config";
};

function modelRow(each: ModelView): string[] {
  const { provider, model, windowTokens, outputTokens, price } = each;
  return [
    `${provider}/${model}`,
    countText(windowTokens),
    countText(outputTokens),
    priceText(price),
    abilityWords(each).join(", "),
    noteWords(each).join(", "),
  ];
}

function abilityWords({ abilities }: ModelView): string[] {
  return (["tools", "images", "thinking"] as const).filter((each) => abilities?.[each]);
}

function noteWords({ aliases = [], loaded, slots, capabilities }: ModelView): string[] {
  return [
    ...(loaded ? ["loaded"] : []),
    ...(slots !== undefined && slots > 1 ? [`${slots} slots`] : []),
    ...(capabilities ? ["tested"] : []),
    ...(aliases.length > 0 ? [`also called ${aliases.join(", ")}`] : []),
  ];
}
