import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

const testsOf = (folder: string) => `${folder}/**/*.test.{ts,tsx}`;
/** Their tests leave nothing behind in the process: one for many files saves a second start for each. */
const shared = ["core", "gate", "host", "protocol", "providers", "storage", "tui"].map(
  (name) => `packages/${name}/src`,
);

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "shared", isolate: false, include: shared.map(testsOf) } },
      {
        extends: true,
        test: {
          name: "alone",
          globalSetup: "./packages/testkit/src/fresh-bundle.ts",
          include: ["packages/*/src", "bin", "docs", "examples"].map(testsOf),
          exclude: ["**/node_modules/**", ...shared.map(testsOf)],
        },
      },
    ],
    // Two cores: more workers only make the pty and process tests wait for each other.
    maxWorkers: 2,
    testTimeout: 20_000,
    // For the processes that tests start from source: halves the work of such a start.
    env: { NODE_COMPILE_CACHE: resolve(import.meta.dirname, ".build/compile-cache") },
    reporters: ["default", "./packages/testkit/src/closing-line-reporter.ts"],
  },
});
