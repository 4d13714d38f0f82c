import type { McpFetch } from "../ports/pool-ports.ts";
import { MAX_MESSAGE_BYTES, tooLargeAnswer, tooLargeText } from "./too-large.ts";

type Body = TransformStream<Uint8Array, Uint8Array>;
type Controller = TransformStreamDefaultController<Uint8Array>;

/** The longest end of an event (`\r\n\r\n`), less one: it may begin in the previous piece. */
const END_BYTES = 3;

/**
 * Refuses oversized bodies while they arrive. If one answers a protocol request, an error replaces it, so that the call
 * ends at once and says why.
 */
export function limitedFetch(fetch: McpFetch, maxBytes = MAX_MESSAGE_BYTES): McpFetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!response.body) return response;
    const id = requestId(init?.body);
    const isStream = (response.headers.get("content-type") ?? "").toLowerCase().startsWith("text/event-stream");
    const limit = isStream ? eventLimit(id, maxBytes) : wholeLimit(response.ok ? id : undefined, maxBytes);
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
  };
}

/** A body with a single message is held until all of it has arrived, because it is parsed as a whole anyway. */
function wholeLimit(id: string | number | undefined, maxBytes: number): Body {
  let held: Uint8Array[] = [];
  let bytes = 0;
  return new TransformStream({
    transform(piece, controller) {
      bytes += piece.length;
      if (bytes <= maxBytes) return void held.push(piece);
      held = [];
      refuse(controller, id, (answer) => answer);
    },
    flush(controller) {
      for (const piece of held) controller.enqueue(piece);
    },
  });
}

/** Passes on each event when it is complete. */
function eventLimit(id: string | number | undefined, maxBytes: number): Body {
  let held: Uint8Array[] = [];
  let bytes = 0;
  let before = Buffer.alloc(0);
  const pass = (controller: Controller) => {
    for (const piece of held) controller.enqueue(piece);
    held = [];
    bytes = 0;
  };
  return new TransformStream({
    transform(piece, controller) {
      const seen = Buffer.concat([before, piece]);
      const end = lastEventEnd(seen) - before.length;
      before = Buffer.from(seen.subarray(-END_BYTES));
      if (end > 0) {
        held.push(piece.subarray(0, end));
        pass(controller);
      }
      const rest = piece.subarray(Math.max(end, 0));
      bytes += rest.length;
      if (bytes > maxBytes) {
        held = [];
        return refuse(controller, id, (answer) => `event: message\ndata: ${answer}\n\n`);
      }
      if (rest.length > 0) held.push(rest);
    },
    flush: pass,
  });
}

/** Where the last complete event of these bytes ends; 0: none does. */
function lastEventEnd(bytes: Buffer): number {
  const ends = ["\n\n", "\r\n\r\n", "\r\r"].map((end) => {
    const at = bytes.lastIndexOf(end);
    return at === -1 ? 0 : at + end.length;
  });
  return Math.max(...ends);
}

function refuse(controller: Controller, id: string | number | undefined, frame: (answer: string) => string): void {
  if (id === undefined) controller.error(new Error(tooLargeText()));
  else {
    controller.enqueue(new TextEncoder().encode(frame(JSON.stringify(tooLargeAnswer(id)))));
    controller.terminate();
  }
}

/** The id of the protocol request in a body. */
function requestId(body: unknown): string | number | undefined {
  if (typeof body !== "string" || !body.startsWith("{")) return undefined;
  try {
    const { id, method } = JSON.parse(body) as { id?: unknown; method?: unknown };
    return typeof method === "string" && (typeof id === "string" || typeof id === "number") ? id : undefined;
  } catch {
    return undefined;
  }
}
