import { describe, expect, test } from "vitest";
import * as light from "./web-classes.mjs";

/** Without `ReadableStream.from`, which the browser types lack. */
const streamOf = (...pieces: Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
const bytes = (text: string) => new TextEncoder().encode(text);

describe("the response that stands for Node's in the bundle", () => {
  test("reads a body that is a stream, also where a character is cut in two", async () => {
    const umlaut = bytes("ü");
    const response = new light.Response(
      streamOf(bytes('{"a":"'), umlaut.subarray(0, 1), umlaut.subarray(1), bytes('"}')),
    );
    expect(await response.json()).toEqual({ a: "ü" });
  });

  test("hands a stream on as it is", async () => {
    const stream = streamOf(bytes("one"));
    const response = new light.Response(stream, { status: 201, headers: { "Content-Type": "text/plain" } });
    expect(response.body).toBe(stream);
    expect([response.ok, response.status, response.headers.get("content-type")]).toEqual([true, 201, "text/plain"]);
  });

  test("has a text, or nothing, without a stream", async () => {
    expect(await new light.Response("text").text()).toBe("text");
    expect(await new light.Response(null, { status: 204 }).text()).toBe("");
  });
});
