import { describe, expect, it } from "vitest";
import { placedModel, placeInUse } from "./model-place.ts";

describe("a model for people", () => {
  it("is named with its provider, or with the address of a server on this machine", () => {
    const model = { provider: "openai", model: "qwen3-coder" };
    expect(placedModel(model)).toBe("openai/qwen3-coder");
    expect(placedModel({ ...model, place: "at 127.0.0.1:8080" })).toBe("qwen3-coder at 127.0.0.1:8080");
  });

  it.each([
    ["at 127.0.0.1:8080", "at 127.0.0.1:8080"],
    ["at 127.0.0.1:11434 (Ollama)", undefined],
    ["from OpenAI", undefined],
    [undefined, undefined],
  ])("has a place of its own if no name fits: %s", (place, expected) => {
    expect(placeInUse(place === undefined ? {} : { place })).toBe(expected);
  });
});
