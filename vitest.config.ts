import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.{ts,tsx}", "bin/**/*.test.ts", "docs/**/*.test.ts", "examples/**/*.test.ts"],
    // Two cores: more workers only make the pty and process tests wait for each other.
    maxWorkers: 2,
    testTimeout: 20_000,
    reporters: ["default", "./packages/testkit/src/closing-line-reporter.ts"],
  },
});
