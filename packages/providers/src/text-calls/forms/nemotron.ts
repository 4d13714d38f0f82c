import { jsonBlock } from "./json-block.ts";

export const nemotron = jsonBlock("nemotron", {
  source: "Llama Nemotron model cards (NVIDIA)",
  openers: ["<TOOLCALL>"],
  closers: ["</TOOLCALL>"],
});
