import type { AgentPart } from "@harness/protocol";
import { sanitizeText } from "../../context/sanitize-text.ts";
import { canonicalJson } from "../json/canonical-json.ts";
import { isTooDeep, isTooDeepText } from "../json/json-depth.ts";

const MAX_KEPT = 200;

/** Parts that every log and API accepts, and the indexes of calls whose arguments were too deep to keep. */
type SanitizedReply = { parts: AgentPart[]; tooDeep: ReadonlySet<number> };

/** Makes a reply safe to store, whatever the provider sent: valid text, no JSON bombs. */
export function sanitizeParts(sent: readonly AgentPart[]): SanitizedReply {
  const tooDeep = new Set<number>();
  const parts = sent.map((part, index): AgentPart => {
    if (part.type === "text") return withSanitizedText(part);
    const plain = withoutDeepData(part);
    if (plain.type === "thinking") return withSanitizedText(plain);
    const { input, inputText, ...named } = plain;
    if (!isTooDeep(input) && !isTooDeepText(inputText ?? "")) return plain;
    tooDeep.add(index);
    const kept = (inputText ?? canonicalJson(input)).slice(0, MAX_KEPT).toWellFormed();
    return { ...named, inputText: kept };
  });
  return { parts, tooDeep };
}

function withSanitizedText<P extends { text: string }>(part: P): P {
  const text = sanitizeText(part.text);
  return text === part.text ? part : { ...part, text };
}

function withoutDeepData<P extends Exclude<AgentPart, { type: "text" }>>(part: P): P {
  if (!isTooDeep(part.vendorData)) return part;
  const { vendorData: _left, ...rest } = part;
  return rest as P;
}
