import { expect, it } from "vitest";
import { readCommandLine } from "../command-line/command-line.ts";
import { windowRequest } from "./window-request.ts";

it("--local-only is passed to the server process in its environment", () => {
  expect(windowRequest(readCommandLine(["--local-only"])).server.env).toEqual({ HARNESS_LOCAL_ONLY: "1" });
  expect(windowRequest(readCommandLine(["hello"])).server).not.toHaveProperty("env");
});
