import type { ModelRequest } from "@harness/core";
import type { ToolMode } from "@harness/protocol";
import { withSeenImages } from "../text-calls/with-seen-images.ts";
import { wireBody } from "../wires/create-wire-provider.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import type { WireProvider } from "../wires/wire-api.ts";
import { wireOf } from "../wires/wires.ts";
import { withTools } from "./assemble-provider.ts";
import { noProvider, type Sources, sourceRegistry, vendorEndpoint } from "./model-question.ts";

/**
 * How the request was sent the first time. `refused`: the fields and forms that its server had refused.
 * `withoutImages`: its images were sent in words.
 */
export type SentBefore = {
  provider: string;
  toolMode: ToolMode;
  refused: readonly string[];
  slot: number | undefined;
  withoutImages: boolean;
};

/** The exact text that would be sent, and the body before it was written as JSON. */
export type WrittenRequest = { text: string; fields: Record<string, unknown> };

/**
 * Writes a request as it would be sent now, and sends nothing. `problem`: why it cannot be written here, as a sentence.
 */
export async function writeRequest(
  request: ModelRequest,
  { provider, toolMode, refused, slot, withoutImages }: SentBefore,
  sources: Sources,
): Promise<WrittenRequest | { problem: string }> {
  const registry = sourceRegistry(sources);
  const vendor = registry.of(provider);
  if (!vendor) return { problem: noProvider(provider, registry) };
  if (vendor.program !== undefined)
    return { problem: `${vendor.name} is a program, which writes its requests itself.` };
  const located = vendorEndpoint(vendor, sources);
  if (!located.ok) return { problem: located.problem };
  const { endpoint } = located;
  let written: WrittenRequest | undefined;
  const wire: WireProvider = {
    id: vendor.id,
    async *stream(passedOn) {
      written = await bodyOf({ ...passedOn, ...(slot === undefined ? {} : { slot }) }, endpoint, new Set(refused));
      yield { type: "end", parts: [], stop: "end" };
    },
  };
  const seeing = withSeenImages(wire, { seesImages: withoutImages ? false : undefined });
  for await (const _ of withTools(seeing, toolMode).stream(request, new AbortController().signal)) if (written) break;
  return written ?? { problem: `${vendor.name} wrote no request.` };
}

async function bodyOf(request: ModelRequest, endpoint: Endpoint, refused: ReadonlySet<string>) {
  const api = await wireOf(endpoint.api);
  const fields = wireBody(api, endpoint, request, refused);
  let text = "";
  const take: typeof fetch = async (_address, init) => {
    if (typeof init?.body === "string") text = init.body;
    return new Response("", { status: 200 });
  };
  // The client may complain about the empty answer: only its request matters.
  await api.send({ body: fields, endpoint, fetch: take }).catch(() => undefined);
  return { text, fields };
}
