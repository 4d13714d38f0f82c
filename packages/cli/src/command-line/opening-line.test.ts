import { expect, it } from "vitest";
import { readCommandLine } from "./command-line.ts";
import { openingLine } from "./opening-line.ts";
import { sessionRequest } from "./session-request.ts";

const requested = (...args: string[]) => {
  const line = readCommandLine(args);
  const opened = openingLine(line, { isFork: line.subcommand === "session fork" });
  const { open, fork, config } = sessionRequest(opened);
  return { open, fork, model: config.model, prompt: opened.positionals.join(" ") };
};

it("a session is opened like with -r, and a fork of it like with --fork", () => {
  const by = (id: string) => ({ how: "id", id });
  expect(requested("session", "resume", "20261121", "-m", "qwen")).toEqual({
    ...{ open: by("20261121"), fork: false, model: "qwen", prompt: "" },
  });
  expect(requested("session", "fork", "the parser", "go", "on")).toEqual({
    ...{ open: by("the parser"), fork: true, model: undefined, prompt: "go on" },
  });
  expect(() => requested("session", "fork")).toThrow("Missing argument: harness session fork ID [PROMPT].");
  expect(() => readCommandLine(["session", "resume", "x", "--continue"])).toThrow("--continue belongs to");
});
