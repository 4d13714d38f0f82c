import { type Flavour, flavourRows } from "../flavours/flavour.ts";
import { type InfoAnswer, type InfoRequest, jsonAnswer, textAnswer } from "./info-request.ts";
import { llamaModels, llamaProps, llamaShow, llamaSlots } from "./llama-info.ts";
import { lmStudioV0, lmStudioV0Model, lmStudioV1 } from "./lmstudio-info.ts";
import { anthropicModel, anthropicModels, openAiModelAnswer, openAiModels, openRouterModels } from "./model-lists.ts";
import { ollamaProcesses, ollamaShow, ollamaTags } from "./ollama-info.ts";

/** A server's endpoints about itself, which discovery probes; each flavour has only its own. */
interface InfoRow {
  method: "GET" | "POST";
  /** A path, or the beginning of one if it ends in `/*`. */
  path: string;
  flavours: readonly Flavour[];
  answer(request: InfoRequest): InfoAnswer;
}

const version = "0.40.12";

const get = (path: string, flavours: readonly Flavour[], answer: InfoRow["answer"]): InfoRow => {
  return { method: "GET", path, flavours, answer };
};
const post = (path: string, flavours: readonly Flavour[], answer: InfoRow["answer"]): InfoRow => {
  return { method: "POST", path, flavours, answer };
};

/** The vendors whose list of models has OpenAI's format, each below its own base path. */
const openAiLike: readonly Flavour[] = [
  "openai",
  "ollama",
  "lmstudio",
  "vllm",
  "gemini",
  "groq",
  "deepseek",
  "mistral",
  "xai",
  "fireworks",
  "zai",
];

const infoRows: readonly InfoRow[] = [
  get("/", ["ollama"], () => textAnswer("Ollama is running")),
  get("/api/version", ["ollama"], () => jsonAnswer({ version })),
  get("/api/tags", ["ollama"], ollamaTags),
  post("/api/show", ["ollama"], ollamaShow),
  get("/api/ps", ["ollama"], ollamaProcesses),
  get("/health", ["llamacpp"], () => jsonAnswer({ status: "ok" })),
  get("/v1/health", ["llamacpp"], () => jsonAnswer({ status: "ok" })),
  get("/props", ["llamacpp"], llamaProps),
  get("/slots", ["llamacpp"], llamaSlots),
  // llama.cpp lists its model on Ollama's path too: /api/tags alone does not distinguish the servers.
  get("/api/tags", ["llamacpp"], llamaModels),
  post("/api/show", ["llamacpp"], llamaShow),
  get("/models", ["llamacpp"], llamaModels),
  get("/v1/models", ["llamacpp"], llamaModels),
  get("/health", ["vllm"], () => textAnswer("")),
  get("/version", ["vllm"], () => jsonAnswer({ version })),
  get("/api/v0/models", ["lmstudio"], lmStudioV0),
  get("/api/v0/models/*", ["lmstudio"], lmStudioV0Model),
  get("/api/v1/models", ["lmstudio"], lmStudioV1),
  get("/api/v1/models", ["openrouter"], openRouterModels),
  get("/v1/models", ["openrouter"], openRouterModels),
  get("/v1/models", ["anthropic", "claude"], anthropicModels),
  get("/v1/models/*", ["anthropic", "claude"], anthropicModel),
  ...openAiLike.flatMap((flavour) => {
    const path = `${flavourRows[flavour].basePath}/models`;
    return [get(path, [flavour], openAiModels), get(`${path}/*`, [flavour], openAiModelAnswer)];
  }),
];

/** The response of an endpoint that is not a chat, or undefined if this flavour does not have it. */
export function answerInfo(method: string, request: InfoRequest): InfoAnswer | undefined {
  const wanted = method === "HEAD" ? "GET" : method;
  return infoRows
    .find((row) => row.method === wanted && row.flavours.includes(request.flavour) && covers(row.path, request.path))
    ?.answer(request);
}

function covers(pattern: string, path: string): boolean {
  return pattern.endsWith("/*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}
