import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { requiredScenarios, runSuite } from "../test/conformance/run-suite.ts";

// The SDK says on the console what the scenarios do wrong on purpose.
beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => undefined));
afterEach(() => vi.restoreAllMocks());

describe("our pool and our logins pass what the official conformance suite requires of a client", () => {
  test.each(["2025-11-25", "2026-07-28"])("of the revision %s", async (revision) => {
    const required = await requiredScenarios(revision);
    expect(required.length).toBeGreaterThan(15);
    const { scenarios, output } = await runSuite(revision);
    const failed = required.filter((name) => {
      const { passed = 0, failed = 1 } = scenarios.get(name) ?? {};
      return failed > 0 || passed === 0;
    });
    expect(failed, output).toEqual([]);
  });
});
