import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { OwnProcess } from "./own-process.ts";
import { startOf } from "./process-mark.ts";

it.runIf(process.platform === "linux")("the own process has the limits and the start that the system gives", () => {
  const own = new OwnProcess();
  const ulimit = (flag: string) => {
    const said = execFileSync("bash", ["-c", `ulimit -H${flag}`], { encoding: "utf8" }).trim();
    return said === "unlimited" ? Number.POSITIVE_INFINITY : Number(said);
  };
  expect(own.limits.processes).toBe(ulimit("u"));
  expect(own.limits.fileBytes / 1024).toBeCloseTo(ulimit("f"));
  expect(own.start).toBe(startOf(process.pid));
});
