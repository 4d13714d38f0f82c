import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { OwnProcess } from "./own-process.ts";
import { startOf } from "./process-mark.ts";

it.runIf(process.platform === "linux")("the own process has the limits and the start that the system gives", () => {
  const own = new OwnProcess();
  expect(own.limits).toBe(readFileSync("/proc/self/limits", "utf8"));
  expect(own.start).toBe(startOf(process.pid));
});
