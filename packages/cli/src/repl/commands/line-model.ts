import type { CallParams, ModelView, ServerMethods } from "@harness/protocol";
import { visibleText } from "@harness/protocol";
import { closestName } from "../../command-line/closest-name.ts";
import { CliError } from "../../process/exit-codes.ts";
import { ProgressNotes, pullShown } from "../../subcommands/model/model-pull.ts";
import type { LineContext } from "./line-context.ts";

type ModelReference = { provider: string; model: string };

export async function printModels({ mode, lines }: LineContext): Promise<void> {
  const { models, problems } = await mode.client.call("models/list", {});
  for (const problem of problems) lines.print(problem);
  const names = models.map((each) => visibleText(nameOf(each)));
  lines.print(names.length === 0 ? "No model is ready. harness providers shows what is missing." : names.join("\n"));
  const { providers } = await mode.client.call("providers/list", {});
  const pulling = providers.find(({ pulls }) => pulls);
  if (pulling) lines.print(`/model NAME lets ${pulling.name} download a model that it does not have.`);
}

/** Chooses a model for this and later sessions. */
export async function useModel(context: LineContext, wanted: string): Promise<void> {
  const { models } = await context.mode.client.call("models/list", {});
  const found = models.find((each) => [each.model, nameOf(each)].includes(wanted));
  const used = found ? await inMemory(context, found) : await offerPull(context, wanted, models.map(nameOf));
  if (used) await use(context, used);
}

function nameOf({ provider, model }: ModelReference): string {
  return `${provider}/${model}`;
}

async function use({ mode, lines }: LineContext, config: ModelReference): Promise<void> {
  const { provider, model } = config;
  const edits = [
    { key: "provider", value: provider },
    { key: "model", value: model },
  ];
  await mode.client.call("settings/set", { edits });
  if (mode.session.id !== undefined) await mode.session.configure(config);
  lines.print(`The model is now ${provider}/${model}.`);
}

/** Loads a model if its server does so on request: better to wait here than before the next answer. */
async function inMemory({ mode, lines }: LineContext, { provider, model, loads }: ModelView): Promise<ModelReference> {
  if (!loads) return { provider, model };
  lines.print(`${provider} is loading ${visibleText(model)}; Ctrl+C stops waiting.`);
  await mode.work(async (signal) => void (await mode.client.call("models/load", { provider, model }, { signal })));
  return { provider, model };
}

/** Offers to download a model that is in no list, if a server could. Undefined if the user declined. */
async function offerPull(
  context: LineContext,
  wanted: string,
  names: readonly string[],
): Promise<ModelReference | undefined> {
  const { mode, lines, cwd } = context;
  const { missing, problem } = await mode.client.call("hud/get", { cwd, config: { model: wanted } });
  if (!missing) {
    const meant = closestName(wanted, [...names]);
    throw new CliError(
      "usage",
      `There is no model ${wanted}.${meant ? ` Did you mean ${meant}?` : " /model lists them."}`,
    );
  }
  if (problem !== undefined) lines.print(problem);
  const answer = await lines.line(`Download ${visibleText(missing.model)} with ${missing.provider}? (y/n)> `);
  if (!/^y(es)?$/i.test(answer?.trim() ?? "")) {
    lines.print("Nothing was downloaded.");
    return undefined;
  }
  return { provider: missing.provider, model: await download(context, missing) };
}

async function download({ mode, lines, notices }: LineContext, request: PullRequest): Promise<string> {
  let model = request.model;
  lines.print("Ctrl+C stops the download; what has arrived is kept.");
  await mode.work(async (signal) => {
    const progress = new ProgressNotes((text) => lines.print(text));
    model = await pullShown(progress, { client: mode.client, notices, signal }, request);
  });
  return model;
}

type PullRequest = CallParams<ServerMethods, "models/pull">;

/** Removes the stored choice, and switches to the default model here too. */
export async function resetModel({ mode, lines, cwd }: LineContext): Promise<void> {
  const edits = [
    { key: "provider", value: null },
    { key: "model", value: null },
  ];
  await mode.client.call("settings/set", { edits });
  const { provider, model: id, problem } = await mode.client.call("hud/get", { cwd });
  if (provider === undefined || id === undefined) return lines.print(`No model is chosen now. ${problem ?? ""}`.trim());
  const config = { provider, model: id };
  if (mode.session.id !== undefined) await mode.session.configure(config);
  lines.print(`No model is chosen now; ${provider}/${id} answers.`);
}
