import { describe, expect, test } from "vitest";
import { failedOutcome, readOutcome } from "./tool-outcome.ts";

const words = (text: string) => ({ type: "text" as const, text });
const data = Buffer.from("x".repeat(3_000)).toString("base64");

describe("an answer of a server", () => {
  test("has its texts one below the other, and pictures beside them", () => {
    const outcome = readOutcome({
      content: [words("one"), { type: "image", mimeType: "image/png", data }, words("two")],
    });
    expect(outcome).toMatchObject({ status: "ok", text: "one\n[image, image/png, 3 kB]\ntwo" });
    expect(outcome.images).toEqual([{ type: "image", mimeType: "image/png", data }]);
    expect(outcome.blocks.map(({ type }) => type)).toEqual(["text", "image", "text"]);
  });

  test.each([
    ["a sound", { type: "audio" as const, mimeType: "audio/wav", data }, "[audio, audio/wav, 3 kB: not played]"],
    [
      "a link",
      {
        type: "resource_link" as const,
        uri: "a://b",
        name: "b",
        title: "B",
        mimeType: "text/plain",
        size: 7,
        description: "of b",
      },
      "[resource link a://b (text/plain, 7 bytes), B: of b]",
    ],
    ["a bare link", { type: "resource_link" as const, uri: "a://b", name: "b" }, "[resource link a://b, b]"],
    [
      "a text",
      { type: "resource" as const, resource: { uri: "a://b", mimeType: "text/x", text: "inside" } },
      "[resource a://b, text/x]\ninside",
    ],
    [
      "bytes",
      { type: "resource" as const, resource: { uri: "a://b", mimeType: "application/zip", blob: data } },
      "[resource a://b, application/zip, 3 kB: not text]",
    ],
  ])("says in a line what else it has: %s", (_, part, text) => {
    expect(readOutcome({ content: [part] })).toMatchObject({ text, images: [] });
  });

  test("with an embedded picture shows it", () => {
    const resource = { uri: "a://b", mimeType: "image/jpeg", blob: data };
    expect(readOutcome({ content: [{ type: "resource", resource }] }).images).toMatchObject([
      { mimeType: "image/jpeg" },
    ]);
  });

  test("with structured content says it once", () => {
    const structuredContent = { count: 3, name: "Ada" };
    const json = JSON.stringify(structuredContent);
    expect(readOutcome({ content: [], structuredContent }).text).toBe(json);
    expect(
      readOutcome({ content: [words(JSON.stringify(structuredContent, undefined, 2))], structuredContent }).text,
    ).not.toContain(json);
    expect(readOutcome({ content: [words("3 of Ada")], structuredContent }).text).toBe(`3 of Ada\n${json}`);
    const same = { content: "hello from a file" };
    expect(readOutcome({ content: [words("hello from a file")], structuredContent: same }).text).toBe(
      "hello from a file",
    );
    expect(readOutcome({ content: [words("3")], structuredContent: { count: 3 } }).blocks.at(-1)).toEqual({
      type: "json",
      value: { count: 3 },
    });
  });

  test("is never empty, and an error is one", () => {
    expect(readOutcome({ content: [] }).text).toBe("(The tool answered without content.)");
    expect(readOutcome({ content: [words("no")], isError: true })).toMatchObject({ status: "error", text: "no" });
    expect(failedOutcome("gone")).toMatchObject({
      status: "error",
      text: "gone",
      blocks: [{ type: "text", text: "gone" }],
    });
  });
});
