import { expect, it } from "vitest";
import { jobFile } from "./job-file.ts";

it.each([
  [{}, undefined],
  [{ HARNESS_JOB_ID: "7" }, undefined],
  [{ HARNESS_OUTPUT_DIR: "", HARNESS_JOB_ID: "7" }, undefined],
  [{ HARNESS_OUTPUT_DIR: "/out", HARNESS_JOB_ID: "batch-7" }, "/out/batch-7.txt"],
  [{ HARNESS_OUTPUT_DIR: "out/" }, "out/unknown.txt"],
])("%j: the answer goes to %s", (env, path) => {
  expect(jobFile(env)).toBe(path);
});

it.each(["../x", "a/b", "a\\b", "..", ".bashrc"])("a job cannot be named %j", (HARNESS_JOB_ID) => {
  expect(() => jobFile({ HARNESS_OUTPUT_DIR: "/out", HARNESS_JOB_ID })).toThrow("HARNESS_JOB_ID names a file");
});
