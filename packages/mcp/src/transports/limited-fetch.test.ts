import { describe, expect, test } from "vitest";
import { limitedFetch } from "./limited-fetch.ts";

const LIMIT = 100;
const encode = (text: string) => new TextEncoder().encode(text);

/** The text that a client reads if an answer arrives in these pieces. */
function answer(pieces: string[], { type = "application/json", status = 200 } = {}): Promise<string> {
  const fetch = limitedFetch(async () => {
    const body = ReadableStream.from(pieces.map(encode)) as ReadableStream<Uint8Array>;
    return new Response(body, { status, headers: { "content-type": type } });
  }, LIMIT);
  const request = { method: "POST", body: JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call" }) };
  return fetch("http://127.0.0.1/mcp", request).then((response) => response.text());
}

const events = { type: "text/event-stream; charset=utf-8" };
const long = "x".repeat(60);

describe("an answer within the limit", () => {
  test.each([
    ["one message", ['{"a":', "1}"], {}],
    ["events", [`data: ${long}\n\n`, `data: ${long}\r\n`, `\r\ndata: ${long}\n\n`], events],
    ["events that are cut anywhere", [`data: ${long}\n`, `\nda`, `ta: ${long}\r\n\r`, `\ndata: ${long}\n\n`], events],
    ["an event that has no end", [`data: ${long}\n\n`, "data: rest"], events],
  ])("is left as it is: %s", async (_, pieces, options) => {
    expect(await answer(pieces, options)).toBe(pieces.join(""));
  });
});

describe("an answer beyond the limit", () => {
  test("that is one message becomes an error of its request", async () => {
    const read = JSON.parse(await answer([`{"a":"${long}`, long, long, '"}']));
    expect(read).toMatchObject({ id: 7, error: { message: expect.stringContaining("larger than 16 MB") } });
  });

  test("that is an event becomes one too, after the events before it", async () => {
    const read = await answer([`data: first\n\ndata: ${long}`, long, long], events);
    expect(read.startsWith("data: first\n\nevent: message\ndata: {")).toBe(true);
    expect(read).toContain('"id":7');
    expect(read).not.toContain("xxx");
  });

  test("to no request fails, and so does a page that is not an answer", async () => {
    await expect(answer([long, long], { status: 500 })).rejects.toThrow("larger than 16 MB");
  });
});
