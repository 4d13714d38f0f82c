import type { ModelEvent, ModelRequest, Provider } from "@harness/core";

export function sampleRequest(fields: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: "scripted-model",
    system: "You help.",
    messages: [{ role: "user", content: [{ type: "text", text: "hello" }] }],
    tools: [],
    priority: "turn",
    ...fields,
  };
}

/** All events of one request. */
export async function talk(
  provider: Provider,
  fields: Partial<ModelRequest> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(sampleRequest(fields), signal)) events.push(event);
  return events;
}

/** The final event, which must be the only one of its kind. */
export function lastOf(events: readonly ModelEvent[]): Extract<ModelEvent, { type: "end" | "failed" }> {
  const last = events.at(-1);
  const isOver = (event: ModelEvent | undefined) => event?.type === "end" || event?.type === "failed";
  if (!isOver(last) || events.slice(0, -1).some(isOver)) throw new Error(`no single end in ${JSON.stringify(events)}`);
  return last as Extract<ModelEvent, { type: "end" | "failed" }>;
}

export function endEvent(events: readonly ModelEvent[]): Extract<ModelEvent, { type: "end" }> {
  const last = lastOf(events);
  if (last.type !== "end") throw new Error(last.failure.message);
  return last;
}

export function failedEvent(events: readonly ModelEvent[]): Extract<ModelEvent, { type: "failed" }> {
  const last = lastOf(events);
  if (last.type !== "failed") throw new Error(`ended with ${JSON.stringify(last)}`);
  return last;
}

/** The text of the deltas since the last retry. */
export function joinDeltas(events: readonly ModelEvent[], type: "text" | "thinking" | "tool_input"): string {
  const from = events.findLastIndex((event) => event.type === "retry") + 1;
  return events
    .slice(from)
    .map((event) => (event.type === type ? event.text : ""))
    .join("");
}
