import { expect, it } from "vitest";
import { childEnvironment } from "./child-environment.ts";
import { startOf } from "./harness-mark.ts";

it("passes a short list on, and what the user named, without secrets and without folders of the moment", () => {
  const ours = {
    PATH: "/usr/bin::.:node_modules/.bin:/bin",
    HOME: "/home/u",
    LC_ALL: "C",
    OPENAI_API_KEY: "x",
    BASH_ENV: "/evil",
    LD_PRELOAD: "/evil.so",
    TERM: "xterm",
    PAGER: "less",
    EMPTY: undefined,
  };
  const start = startOf(process.pid);
  expect(childEnvironment(ours, { GOPATH: "/go", GITHUB_TOKEN: "t", db_password: "p" }, "id-1")).toEqual({
    PATH: "/usr/bin:/bin",
    HOME: "/home/u",
    LC_ALL: "C",
    GOPATH: "/go",
    HARNESS: "1",
    HARNESS_CALL_ID: "id-1",
    HARNESS_PID: String(process.pid),
    ...(start ? { HARNESS_PID_START: start } : {}),
    TERM: "dumb",
    PAGER: "cat",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
  });
  expect(childEnvironment({}, {}, "x").PATH).toBe("/usr/local/bin:/usr/bin:/bin");
});
