import type { ModelRequest } from "@harness/core";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { asRecord } from "../../json/lenient-json.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { sentEffort } from "../request/effort.ts";
import { withQuirkFields } from "../request/quirk-fields.ts";
import { functionTool } from "../request/sendable.ts";
import { SseFraming } from "../sse/framing.ts";
import type { WireApi, WireCall } from "../wire-api.ts";
import { chatForms } from "./chat-forms.ts";
import { chatMessages } from "./chat-messages.ts";
import { ChatReader } from "./chat-reader.ts";
import { openAiClient } from "./openai-client.ts";

/**
 * OpenAI chat completions as in the API reference ("The chat completion chunk object"), with the additions of other
 * vendors: each difference in requests is a field of the row's quirks, while replies are read in every variant.
 */
export const openAiChat: WireApi = {
  contentType: /event-stream/,
  optional: {
    reasoning_effort: /reasoning[_ .]?effort/i,
    reasoning_format: /reasoning_format/i,
    reasoning: /\breasoning\b/i,
    chat_template_kwargs: /chat_template_kwargs/i,
    extra_body: /extra_body|thinking_config|include_thoughts|\bthoughts\b/i,
    thinking: /\bthinking\b/i,
    temperature: /temperature/i,
    stream_options: /stream_options/i,
    parallel_tool_calls: /parallel_tool_calls/i,
    cache_control: /cache_control/i,
    tool_stream: /tool_stream/i,
    return_progress: /return_progress/i,
    id_slot: /id_slot/i,
    response_format: /response_format|json_schema/i,
    json_schema: /json_schema|\bgrammar\b/i,
    max_completion_tokens: /max_completion_tokens/i,
    max_tokens: /\bmax_tokens/i,
  },
  forms: chatForms,
  framing: () => new SseFraming(),
  body: bodyOf,
  async send({ body, endpoint, fetch }: WireCall) {
    const client = await openAiClient(endpoint, fetch);
    return client.post("/chat/completions", { body, stream: true }).asResponse();
  },
  reader: (draft) => new ChatReader(draft),
};

/** Checked against the types of the API; additions of vendors have other names. */
type ChatBody = ChatCompletionCreateParamsStreaming & Record<string, unknown>;

function bodyOf(request: ModelRequest, endpoint: Endpoint): Record<string, unknown> {
  const { quirks } = endpoint.vendor;
  const { slot, maxOutputTokens, temperature } = request;
  const maxTokensField = (endpoint.usual && quirks.maxTokensField) || "max_tokens";
  const body = {
    model: request.model,
    messages: chatMessages(request, endpoint.vendor),
    ...(request.tools.length > 0 && { tools: request.tools.map(functionTool) }),
    stream: true,
    stream_options: { include_usage: true },
    ...(maxOutputTokens !== undefined && { [maxTokensField]: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(quirks.parallelToolCalls && request.tools.length > 0 && { parallel_tool_calls: true }),
    ...(quirks.cacheControlFor &&
      request.model.startsWith(quirks.cacheControlFor) && { cache_control: { type: "ephemeral" } }),
    ...(quirks.slots && slot !== undefined && { id_slot: slot }),
    ...effortOf(request.effort, endpoint),
    ...schemaOf(request.responseSchema, endpoint),
  } satisfies ChatBody;
  return withQuirkFields(body, request, endpoint);
}

function effortOf(wanted: string | undefined, endpoint: Endpoint): Record<string, unknown> {
  if (!wanted) return {};
  const { vendor } = endpoint;
  const isOff = wanted === "none";
  const effort = sentEffort(endpoint, wanted);
  switch (vendor.quirks.effort) {
    case "reasoning_effort":
      return { reasoning_effort: effort };
    case "reasoning":
      return { reasoning: isOff ? { enabled: false } : { effort } };
    case "chat_template_kwargs":
      return { chat_template_kwargs: { enable_thinking: !isOff, ...(isOff ? {} : { reasoning_effort: effort }) } };
    case "thinking": {
      const { thinking } = vendor.quirks.thinkingBody ?? {};
      if (isOff) return { thinking: { type: "disabled" } };
      return { thinking: { ...asRecord(thinking), type: "enabled" }, reasoning_effort: effort };
    }
    default:
      return {};
  }
}

function schemaOf(schema: Record<string, unknown> | undefined, { vendor }: Endpoint): Record<string, unknown> {
  if (!schema || !vendor.quirks.schema) return {};
  if (vendor.quirks.schema === "json_schema") return { json_schema: schema };
  return { response_format: { type: "json_schema", json_schema: { name: "answer", schema } } };
}
