import type { Provider } from "@harness/core";
import type { ModelView, ProviderView, ToolMode } from "@harness/protocol";
import type { ModelAsk, ResolvedModel, UnresolvedModel } from "../choice/model-ask.ts";
import { withConstrainedCalls } from "../text-calls/with-constrained-calls.ts";
import { withPromptedTools } from "../text-calls/with-prompted-tools.ts";
import { withTextCalls } from "../text-calls/with-text-calls.ts";
import { readGgufHeader } from "./gguf-header.ts";
import { type GgufModel, type GgufPlaces, ggufModel, looksLikeGguf, windowOf } from "./gguf-model.ts";
import { GGUF, ggufProvider, processOf } from "./gguf-provider.ts";
import { ModelShelf } from "./model-shelf.ts";
import { INSTALL_ADVICE, isInstalled, runtimeFolder } from "./runtime/runtime-folder.ts";

const NAME = "Model files";
const FREE = { input: 0, output: 0 };

/**
 * The model file that is asked for: with the provider `gguf`, as `gguf/NAME`, by a name that was added, or by a path,
 * which wins over a provider of the settings. Undefined: no model file is meant. Never throws.
 */
export async function chooseGguf(
  ask: ModelAsk,
  places: GgufPlaces,
): Promise<ResolvedModel | UnresolvedModel | undefined> {
  const { model = "", provider } = ask;
  const isPath = looksLikeGguf(model) && /[/\\~]/.test(model);
  const isOurs = provider === GGUF || model.startsWith(`${GGUF}/`);
  if (!isOurs && provider && !isPath) return undefined;
  const text = model.startsWith(`${GGUF}/`) ? model.slice(GGUF.length + 1) : model;
  if (text === "") return isOurs ? firstOnShelf(ask, places) : undefined;
  const answer = await ggufModel(text, places, ask.contextLimit);
  if (answer) return answer.ok ? withRuntime(answer.model, ask, places) : unresolved(answer.problem);
  return isOurs
    ? unresolved(`No model file was added as ${JSON.stringify(text)}. ${await namesOn(places)}`)
    : undefined;
}

async function firstOnShelf(ask: ModelAsk, places: GgufPlaces): Promise<ResolvedModel | UnresolvedModel> {
  const { models } = await new ModelShelf(places.root).list();
  const [first] = models;
  const answer = first && (await ggufModel(first.name, places, ask.contextLimit));
  if (!answer) return unresolved(await namesOn(places));
  return answer.ok ? withRuntime(answer.model, ask, places) : unresolved(answer.problem);
}

/** Also without what runs it: the first request says so again, and by then it may be there. */
async function withRuntime(model: GgufModel, ask: ModelAsk, places: GgufPlaces): Promise<ResolvedModel> {
  const choice = chosen(model, ask, places);
  if (await isInstalled(runtimeFolder(places.root, ask.env))) return choice;
  return { ...choice, warning: [choice.warning, INSTALL_ADVICE].filter(Boolean).join(" ") };
}

async function namesOn({ root }: GgufPlaces): Promise<string> {
  const { models, problem } = await new ModelShelf(root).list();
  if (problem !== undefined) return problem;
  if (models.length === 0) return "None was added yet: harness model add <file.gguf>, or --model ./file.gguf.";
  return `There are: ${models.map(({ name }) => name).join(", ")}.`;
}

function chosen(model: GgufModel, ask: ModelAsk, { root }: GgufPlaces): ResolvedModel {
  const { env, clock, random = Math.random, keepAlive, effort, maxOutputTokens } = ask;
  const plain = ggufProvider(model, { env, clock, random, root, keepAlive });
  const toolMode = ask.cards?.(GGUF, model.id, model.path)?.toolMode ?? "native";
  return {
    provider: withTools(plain, toolMode),
    plain,
    model: model.id,
    window: model.window,
    toolMode,
    price: FREE,
    ...(effort && { effort }),
    ...(maxOutputTokens && { maxOutputTokens }),
    windowAdvice: "Set context_limit to a larger window, as far as the memory goes.",
    vendor: { id: GGUF, name: NAME, local: true, address: model.path },
    ...(model.warning !== undefined && { warning: model.warning }),
  };
}

function withTools(plain: Provider, toolMode: ToolMode): Provider {
  if (toolMode === "constrained") return withConstrainedCalls(plain);
  if (toolMode === "prompted") return withPromptedTools(plain);
  return withTextCalls(plain, { mode: "native" });
}

/** The models that were added, as far as their files are there. Loads none of them, and needs no runtime. */
export async function listGguf(
  root: string,
  limit?: number | null,
): Promise<{ models: ModelView[]; problems: string[] }> {
  const { models, problem } = await new ModelShelf(root).list();
  const problems = problem === undefined ? [] : [problem];
  const views = await Promise.all(
    models.map(async ({ name, path }): Promise<ModelView[]> => {
      const answer = await readGgufHeader(path);
      if (!answer.ok) {
        problems.push(`${name}: ${answer.problem}`);
        return [];
      }
      const { window } = windowOf(answer.header, limit ?? undefined);
      const loaded = processOf(path) !== undefined;
      const abilities = { tools: true, images: false };
      return [{ provider: GGUF, model: name, windowTokens: window.tokens, price: FREE, abilities, loaded }];
    }),
  );
  return { models: views.flat(), problems };
}

/** Whether model files can be run, and what is missing. */
export async function ggufHealth(root: string, env: ModelAsk["env"]): Promise<ProviderView> {
  const { models } = await new ModelShelf(root).list();
  const count = models.length === 1 ? "1 model was added" : `${models.length} models were added`;
  const view = { id: GGUF, name: NAME, local: true };
  if (!(await isInstalled(runtimeFolder(root, env)))) return { ...view, ready: false, detail: INSTALL_ADVICE };
  const more = "Any other file: --model ./file.gguf.";
  return { ...view, ready: models.length > 0, detail: `${count}. ${more}` };
}

function unresolved(problem: string): UnresolvedModel {
  return { problem, advice: [] };
}
