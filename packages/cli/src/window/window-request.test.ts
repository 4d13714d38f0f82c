import { expect, it } from "vitest";
import { readCommandLine } from "../command-line/command-line.ts";
import { windowRequest } from "./window-request.ts";

it("--local-only is passed to the server process in its environment", () => {
  expect(windowRequest(readCommandLine(["--local-only"])).server.env).toEqual({ HARNESS_LOCAL_ONLY: "1" });
  expect(windowRequest(readCommandLine(["--", "hello"])).server.env).toEqual({});
});

it("-u is passed to the server process, with the provider that it is the address of", () => {
  expect(windowRequest(readCommandLine(["-u", "http://box:8080"])).server.env).toEqual({
    HARNESS_URL: "http://box:8080",
  });
  const { server } = windowRequest(readCommandLine(["--url=http://box:8080", "--provider", "vllm"]));
  expect(server.env).toEqual({ HARNESS_URL: "http://box:8080", HARNESS_PROVIDER: "vllm" });
});
