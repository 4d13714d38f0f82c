import { closestName } from "../../command-line/closest-name.ts";
import { CliError } from "../../process/exit-codes.ts";
import { visibleText } from "../../text/visible-text.ts";
import type { LinePlace } from "./line-place.ts";

/** Lists the models, or chooses one for this and later sessions. */
export async function model({ mode, lines, cwd }: LinePlace, wanted: string): Promise<void> {
  const { models, problems } = await mode.client.call("models/list", {});
  const names = models.map((each) => `${each.provider}/${each.model}`);
  if (wanted === "reset") return await reset({ mode, lines, cwd });
  if (wanted === "" || wanted === "list") {
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

/** Removes the choice that is kept; what would answer without it does so here too. */
async function reset({ mode, lines, cwd }: Pick<LinePlace, "mode" | "lines" | "cwd">): Promise<void> {
  const edits = [
    { key: "provider", value: null },
    { key: "model", value: null },
  ];
  await mode.client.call("settings/set", { edits });
  const { provider, model: id, problem } = await mode.client.call("hud/get", { cwd });
  if (provider === undefined || id === undefined)
    return lines.print(`No model is chosen any more. ${problem ?? ""}`.trim());
  const config = { provider, model: id };
  if (mode.sessionId !== undefined)
    await mode.client.call("session/set_config_option", { sessionId: mode.sessionId, config });
  lines.print(`No model is chosen any more; ${provider}/${id} answers.`);
}
