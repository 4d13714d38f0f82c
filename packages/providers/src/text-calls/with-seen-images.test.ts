import type { ModelEvent, ModelMessage, ModelRequest } from "@harness/core";
import { talk } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { explained } from "../../test/explained.ts";
import type { WireEvent, WireProvider } from "../wires/wire-api.ts";
import { withSeenImages } from "./with-seen-images.ts";

const image = { type: "image" as const, mimeType: "image/png", data: "AAAA" };
const words = { type: "text" as const, text: "Look." };
const messages: ModelMessage[] = [
  { role: "user", content: [words, image] },
  { role: "assistant", parts: [{ type: "text", text: "I look." }] },
  { role: "tool", toolCallId: "a", name: "read", text: "a.png: PNG image", images: [image], isError: false },
];
const left = "(An image is left out: this model does not see images.)";
const inWords: ModelMessage[] = [
  { role: "user", content: [words, { type: "text", text: left }] },
  { role: "assistant", parts: [{ type: "text", text: "I look." }] },
  { role: "tool", toolCallId: "a", name: "read", text: `a.png: PNG image\n${left}`, isError: false },
];
const end: ModelEvent = { type: "end", parts: [], stop: "end" };
const refused: WireEvent = {
  type: "failed",
  failure: { kind: "badRequest", message: "cannot see" },
  refusal: "no_images",
};

/** Refuses requests with images if it is blind. */
function model(isBlind: boolean): WireProvider & { asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  return {
    id: "fake",
    asked,
    async *stream(request) {
      asked.push(request);
      yield isBlind && JSON.stringify(request.messages).includes("AAAA") ? refused : end;
    },
  };
}

describe("images in a request", () => {
  it("reach a model that sees", async () => {
    for (const seesImages of [true, undefined]) {
      const provider = model(false);
      expect(await talk(withSeenImages(provider, { seesImages }), { messages })).toEqual([end]);
      expect(provider.asked.map((request) => request.messages)).toEqual([messages]);
    }
  });

  it("are words for a model that is known not to see", async () => {
    const provider = model(true);
    expect(await talk(withSeenImages(provider, { seesImages: false }), { messages })).toEqual([end]);
    expect(provider.asked.map((request) => request.messages)).toEqual([inWords]);
  });

  it("are words from the moment on when a server says that its model does not see", async () => {
    const provider = model(true);
    const seeing = withSeenImages(provider, { seesImages: undefined });
    const first = await talk(seeing, { messages });
    expect(first).toEqual([
      { type: "repair", what: "no_images", detail: "scripted-model cannot see images: they are left out." },
      end,
    ]);
    expect(await talk(seeing, { messages })).toEqual([end]);
    expect(provider.asked.map((request) => request.messages)).toEqual([messages, inWords, inWords]);
  });
});

describe("a model without eyes", () => {
  it.each([
    ["llamacpp", 500, "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"],
    ["vllm", 400, "m is not a multimodal model"],
    ["ollama", 500, "this model is missing data required for image input"],
    ["openrouter", 404, "No endpoints found that support image input"],
    ["deepseek", 400, "Failed to deserialize: messages[0]: unknown variant `image_url`, expected `text`"],
    [
      "groq",
      400,
      "'messages.0' : for 'role:user' the following must be satisfied[('messages.0.content' : value must be a string)]",
    ],
    ["fireworks", 400, "This model does not support images"],
    ["openai", 400, "Invalid content type. image_url is only supported by certain models."],
  ])("is recognised by the message of %s (%d): %s", (id, status, message) => {
    const { refusal, failure } = explained(id, status, message);
    expect({ refusal, kind: failure.kind }).toEqual({ refusal: "no_images", kind: "badRequest" });
  });
});
