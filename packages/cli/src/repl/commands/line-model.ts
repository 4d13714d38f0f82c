import { closestName } from "../../command-line/closest-name.ts";
import { CliError } from "../../process/exit-codes.ts";
import { visibleText } from "../../text/visible-text.ts";
import type { LinePlace } from "./line-place.ts";

/** Lists the models, or chooses one for this and later sessions. */
export async function model({ mode, lines }: LinePlace, wanted: string): Promise<void> {
  const { models, problems } = await mode.client.call("models/list", {});
  const names = models.map((each) => `${each.provider}/${each.model}`);
  if (wanted === "") {
    for (const problem of problems) lines.print(problem);
    lines.print(
      names.length === 0
        ? "No model is ready. harness providers shows what is missing."
        : names.map(visibleText).join("\n"),
    );
    return;
  }
  const found = models.find((each) => [each.model, `${each.provider}/${each.model}`].includes(wanted));
  if (!found) {
    const meant = closestName(wanted, names);
    throw new CliError(
      "usage",
      `There is no model ${wanted}.${meant ? ` Did you mean ${meant}?` : " /model lists them."}`,
    );
  }
  const config = { provider: found.provider, model: found.model };
  await mode.client.call("settings/set", {
    edits: [
      { key: "provider", value: config.provider },
      { key: "model", value: config.model },
    ],
  });
  if (mode.sessionId !== undefined)
    await mode.client.call("session/set_config_option", { sessionId: mode.sessionId, config });
  lines.print(`The model is now ${found.provider}/${found.model}.`);
}
