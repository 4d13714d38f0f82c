import { describe, expect, it } from "vitest";
import { isLoading } from "./loading-patterns.ts";

describe("a server that loads its model", () => {
  it.each([
    [503, "unavailable_error Loading model"], // llama.cpp
    [503, "Model meta-llama/Llama-3-70B is currently loading"], // Hugging Face
    [400, "Model is unloaded."], // LM Studio
    [404, "No models loaded. Please load a model in the developer page or use the `lms load` command."], // LM Studio
    [500, "the model is being loaded, try again"],
    [502, "upstream command is not ready yet"], // llama-swap
    [503, "process is starting"], // llama-swap
    [503, "Model is still loading"],
    [503, "The server is starting up; model not ready yet"],
    [503, "Model qwen3 is warming up"],
    [503, "swapping model, please wait"],
    [425, "model qwen3 not yet loaded"],
  ])("says so: %i %s", (status, words) => {
    expect(isLoading(status, words)).toBe(true);
  });

  it.each([
    [503, "unavailable_error no slot available"],
    [503, "server busy, please try again. maximum pending requests exceeded"],
    [503, "The model is overloaded. Please try again later."],
    [500, "error loading model: unable to load tensors"],
    [500, "llama runner process has terminated: failed to load model"],
    [500, "model requires more system memory (12 GiB) than is available"],
    [404, 'model "qwen9" not found, try pulling it first'],
    [404, "model_not_found The model `gpt-9` does not exist"],
    [400, "This model does not support tools"],
    [429, "Rate limit reached, model is loading"],
    [401, "Loading model"],
    [503, "Service Unavailable"],
    [502, "<html>Bad Gateway</html>"],
  ])("is not one that says: %i %s", (status, words) => {
    expect(isLoading(status, words)).toBe(false);
  });
});
