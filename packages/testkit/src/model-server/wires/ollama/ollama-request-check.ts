import type { ServedModels } from "../../flavours/served-models.ts";
import { asArray, asObject, textValue } from "../../story/conversation.ts";
import type { RequestRefusal } from "../wire.ts";

/** The rules of Ollama's POST /api/chat. */
export function checkOllamaRequest(body: unknown, served: ServedModels): RequestRefusal | undefined {
  const request = asObject(body);
  const id = textValue(request.model);
  if (id === "") return bad("model is required");
  const model = served.find(id);
  if (served.closed && model === undefined) return { status: 404, message: `model '${id}' not found` };
  const lacks = (capability: string) => model !== undefined && !model.capabilities.includes(capability);
  if (asArray(request.tools).length > 0 && lacks("tools")) return bad(`"${id}" does not support tools`);
  if (request.think === true && lacks("thinking")) return bad(`"${id}" does not support thinking`);
  for (const message of asArray(request.messages).map(asObject)) {
    if (message.content !== undefined && typeof message.content !== "string") {
      return bad(unmarshal(message.content, "content", "string"));
    }
    for (const call of asArray(message.tool_calls).map(asObject)) {
      const { arguments: args } = asObject(call.function);
      if (typeof args !== "object" || args === null || Array.isArray(args)) {
        return bad(unmarshal(args, "tool_calls.function.arguments", "map[string]interface {}"));
      }
    }
  }
  return undefined;
}

function bad(message: string): RequestRefusal {
  return { status: 400, message };
}

function unmarshal(value: unknown, field: string, type: string): string {
  return `json: cannot unmarshal ${typeof value} into Go struct field ChatRequest.messages.${field} of type ${type}`;
}
