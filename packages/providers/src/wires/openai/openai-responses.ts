import type { ModelRequest, ToolSpec } from "@harness/core";
import type { FunctionTool, ResponseCreateParamsStreaming } from "openai/resources/responses/responses";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { type Access, bearer } from "../http/request-access.ts";
import { sentEffort } from "../request/effort.ts";
import { withQuirkFields } from "../request/quirk-fields.ts";
import { sendableSchema } from "../request/sendable-schema.ts";
import { laneKey } from "../request/short-id.ts";
import { SseFraming } from "../sse/framing.ts";
import type { WireApi, WireCall } from "../wire-api.ts";
import { openAiClient } from "./openai-client.ts";
import { inputItems } from "./responses-input.ts";
import { ResponsesReader } from "./responses-reader.ts";

const USUAL_PATH = "/responses";
/** A smaller limit is refused. */
const MIN_OUTPUT_TOKENS = 16;

/** Instructions for servers that require some. */
const NO_INSTRUCTIONS = "Do what is asked.";

/** OpenAI responses, without storing anything on the server (API reference, "Create a model response"). */
export const openAiResponses: WireApi = {
  contentType: /event-stream/,
  optional: {
    include: /encrypted[_ ]content|\binclude\b/i,
    "reasoning.summary": /reasoning[._ ]summar/i,
    reasoning: /\breasoning\b/i,
    temperature: /temperature/i,
    parallel_tool_calls: /parallel_tool_calls/i,
    prompt_cache_key: /prompt_cache_key/i,
    text: /json_schema|text\.format/i,
    max_output_tokens: /max_output_tokens/i,
  },
  framing: () => new SseFraming(),
  headers: headersOf,
  body: bodyOf,
  async send({ body, endpoint, fetch }: WireCall) {
    const client = await openAiClient(endpoint, fetch);
    const { pathElsewhere = USUAL_PATH } = endpoint.vendor.quirks;
    return client.post(endpoint.usual ? USUAL_PATH : pathElsewhere, { body, stream: true }).asResponse();
  },
  reader: (draft) => new ResponsesReader(draft),
};

function headersOf(access: Access, { vendor }: Endpoint): Record<string, string> {
  const { accountHeader } = vendor.quirks;
  return { ...bearer(access), ...(accountHeader && access.account && { [accountHeader]: access.account }) };
}

/** Checked against the types of the API, except for items of earlier replies, which go back unchanged. */
type ResponsesBody = Omit<ResponseCreateParamsStreaming, "input"> & Record<string, unknown>;

function bodyOf(request: ModelRequest, endpoint: Endpoint): Record<string, unknown> {
  const { quirks } = endpoint.vendor;
  const { maxOutputTokens, lane } = request;
  const instructions = request.system.toWellFormed() || (quirks.instructionsRequired ? NO_INSTRUCTIONS : "");
  const body = {
    model: request.model,
    ...(instructions !== "" && { instructions }),
    input: inputItems(request, endpoint.vendor.id),
    ...(request.tools.length > 0 && { tools: request.tools.map(toolOf), parallel_tool_calls: true }),
    stream: true,
    store: false,
    ...thinkingOf(request, endpoint),
    ...(lane !== undefined && { prompt_cache_key: laneKey(lane) }),
    ...(maxOutputTokens !== undefined && { max_output_tokens: Math.max(maxOutputTokens, MIN_OUTPUT_TOKENS) }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.responseSchema && {
      text: { format: { type: "json_schema", name: "answer", schema: request.responseSchema, strict: false } },
    }),
  } satisfies ResponsesBody;
  return withQuirkFields(body, request, endpoint);
}

/** Without `strict`, any schema is accepted as it is. */
function toolOf({ name, description, inputSchema }: ToolSpec): FunctionTool {
  return { type: "function", name, description, parameters: sendableSchema(inputSchema), strict: false };
}

/** Thoughts come back encrypted, to be sent with the next request. A model known not to think refuses all of it. */
function thinkingOf({ model, effort }: ModelRequest, endpoint: Endpoint): Record<string, unknown> {
  const doesThink = endpoint.vendor.quirks.thinkingModels?.test(model);
  if (doesThink === false && !effort) return {};
  const include = ["reasoning.encrypted_content"];
  if (effort === "none") return { include, reasoning: { effort } };
  const { reasoningSummary = "auto" } = endpoint;
  const summary = (effort || doesThink) && reasoningSummary !== "none" && { summary: reasoningSummary };
  const reasoning = { ...(effort && { effort: sentEffort(endpoint, effort) }), ...summary };
  return { include, ...(Object.keys(reasoning).length > 0 && { reasoning }) };
}
