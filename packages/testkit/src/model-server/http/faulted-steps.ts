import type { Fault } from "../story/fault-schema.ts";
import type { StreamFrame } from "../story/frame.ts";
import type { ScriptedReply } from "../story/reply.ts";

/** The sender's next action. */
export type SenderStep =
  | { do: "send"; frame: StreamFrame }
  | { do: "hang"; pingEveryMs?: number | undefined }
  | { do: "cut"; how: "reset" | "close" };

/** Applies the fault to the model's reply, before a wire format sees it. */
export function faultedReply(reply: ScriptedReply, fault: Fault | undefined): ScriptedReply {
  if (fault?.kind !== "cutArguments") return reply;
  const calls = reply.calls.map((call) => ({
    ...call,
    argumentsText: call.argumentsText.slice(0, fault.keepCharacters),
    cut: true,
  }));
  return { ...reply, calls, stop: fault.stop ?? reply.stop };
}

/** Creates the event by which the vendor reports an error in a stream; its data is the error object as JSON. */
export type ErrorFrame = (message: string, code: string | number) => StreamFrame;

/** Applies the fault to the events of a stream. */
export function* faultedSteps(
  frames: Iterable<StreamFrame>,
  fault: Fault | undefined,
  errorFrame: ErrorFrame,
): Generator<SenderStep> {
  let sent = 0;
  let struck = false;
  const at = strikePoint(fault);
  for (const frame of frames) {
    // The fault also applies to a message shorter than that: before it is complete.
    if (!struck && (sent >= at || (frame.part === "closing" && at !== Number.POSITIVE_INFINITY))) {
      struck = true;
      yield* strike(fault, errorFrame);
      if (stops(fault)) return;
    }
    if (fault?.kind === "unfinished" && frame.part !== "delta") return;
    yield { do: "send", frame };
    sent += 1;
  }
}

/** Applies the fault to a response that is one JSON document. */
export function* faultedBody(body: string, fault: Fault | undefined, errorFrame: ErrorFrame): Generator<SenderStep> {
  const send = (data: string): SenderStep => ({ do: "send", frame: { data, part: "closing", delayMs: 0 } });
  const half = body.slice(0, Math.floor(body.length / 2));
  if (fault?.kind === "hang" && !hangsBeforeHeaders(fault)) yield* strike(fault, errorFrame);
  if (fault?.kind === "malformedChunk") yield send(fault.data);
  else if (fault?.kind === "streamError") yield send(errorFrame(fault.message, fault.code).data);
  else if (fault?.kind === "unfinished") yield send(half);
  else if (fault?.kind === "disconnect" && fault.afterBytes === undefined) {
    yield send(half);
    yield* strike(fault, errorFrame);
  } else yield send(body);
}

/** The silence comes before the headers: pings, and events before it, would need them. */
export function hangsBeforeHeaders(fault: Fault | undefined): boolean {
  return fault?.kind === "hang" && fault.afterEvents === undefined && fault.pingEveryMs === undefined;
}

/** True if the client has received every event of the turn despite the fault: the turn then counts as played. */
export function deliversAll(fault: Fault): boolean {
  return fault.kind === "hang" || (fault.kind === "malformedChunk" && fault.rest === "continue");
}

function strikePoint(fault: Fault | undefined): number {
  switch (fault?.kind) {
    case "hang":
      return hangsBeforeHeaders(fault) ? Number.POSITIVE_INFINITY : (fault.afterEvents ?? 0);
    case "disconnect":
      // A byte limit is applied by the sender, the only part that sees bytes.
      return fault.afterBytes === undefined ? (fault.afterEvents ?? 2) : Number.POSITIVE_INFINITY;
    case "malformedChunk":
    case "streamError":
      return fault.afterEvents;
    default:
      return Number.POSITIVE_INFINITY;
  }
}

function stops(fault: Fault | undefined): boolean {
  if (fault?.kind === "malformedChunk") return fault.rest === "end";
  return fault?.kind === "disconnect" || fault?.kind === "streamError";
}

function* strike(fault: Fault | undefined, errorFrame: ErrorFrame): Generator<SenderStep> {
  switch (fault?.kind) {
    case "hang":
      yield { do: "hang", pingEveryMs: fault.pingEveryMs };
      return;
    case "disconnect":
      yield { do: "cut", how: fault.how };
      return;
    case "malformedChunk":
      yield { do: "send", frame: { data: fault.data, part: "delta", delayMs: 0 } };
      return;
    case "streamError":
      yield { do: "send", frame: errorFrame(fault.message, fault.code) };
      return;
    default:
      return;
  }
}
