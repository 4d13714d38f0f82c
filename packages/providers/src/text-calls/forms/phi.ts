import { jsonBlock } from "./json-block.ts";

export const phi = jsonBlock("phi", {
  source: "Phi-4-mini tool template of vLLM; FireFunction v2 model card",
  openers: ["functools"],
  closers: [],
});
