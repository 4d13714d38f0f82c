import { sample } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runSuite } from "../test/conformance/run-suite.ts";

// The SDK reports on the console the deliberate mistakes of the scenarios.
beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => undefined));
afterEach(() => vi.restoreAllMocks());

describe("our pool and our logins pass what the official conformance suite requires of a client", () => {
  test.each(
    sample(
      [
        ["2025-11-25", 18],
        ["2026-07-28", 32],
      ],
      1,
    ),
  )("of the revision %s", async (revision, count) => {
    const { required, failed } = await runSuite(revision);
    expect(required).toHaveLength(count);
    expect(failed).toEqual([]);
  });
});
