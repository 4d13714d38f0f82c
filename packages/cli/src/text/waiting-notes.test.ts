import { expect, it } from "vitest";
import { waitingNotes } from "./waiting-notes.ts";

it("each local server that is waited for is named once", () => {
  const notes: string[] = [];
  const take = waitingNotes((text) => notes.push(text));
  const ollama = { provider: "ollama", name: "Ollama", address: "http://127.0.0.1:11434" };
  const vllm = { provider: "vllm", name: "vLLM", address: "http://127.0.0.1:8000/v1" };
  for (const servers of [[ollama], [ollama, vllm], [vllm], []]) take({ servers });
  expect(notes).toEqual([
    "Waiting for Ollama at http://127.0.0.1:11434: it accepted the connection and has not answered yet.",
    "Waiting for vLLM at http://127.0.0.1:8000/v1: it accepted the connection and has not answered yet.",
  ]);
});
