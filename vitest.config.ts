import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { sample } from "./e2e/sample.ts";

const testsOf = (folder: string) => `${folder}/**/*.test.{ts,tsx}`;
/** `npm test` takes a sample of the end-to-end tests; a file that is named is always run. */
const endToEnd =
  process.env.HARNESS_TEST_SAMPLE && !process.env.HARNESS_TEST_ALL
    ? ["e2e/*.test.ts", ...Object.entries(sample).map(([folder, names]) => `e2e/${folder}/{${names},}.test.ts`)]
    : [testsOf("e2e")];
/** A test of real processes gets a second try; those that needed it are named at the end, and are defects. */
const retry = 1;
const units = ["core", "gate", "host", "protocol", "providers", "storage", "extensions", "mcp", "tui"].map(
  (name) => `packages/${name}/src`,
);

export default defineConfig({
  test: {
    // Tests leave nothing behind in their process: one for many files saves a second start for each.
    isolate: false,
    projects: [
      { extends: true, test: { name: "units", include: units.map(testsOf) } },
      {
        extends: true,
        test: {
          name: "processes",
          retry,
          globalSetup: "./packages/testkit/src/fresh-bundle.ts",
          include: [...["packages/*/src", "build", "scripts"].map(testsOf), ...endToEnd],
          exclude: ["**/node_modules/**", ...units.map(testsOf)],
        },
      },
      // A start from the snapshot and one from the bundle behave alike: here runs, which have the snapshot, start from the bundle,
      // and servers the other way round.
      ...(process.env.HARNESS_TEST_ALL
        ? [
            {
              extends: true as const,
              test: {
                name: "runs from the bundle",
                retry,
                globalSetup: "./packages/testkit/src/fresh-bundle.ts",
                include: ["e2e/{cli,lines}/run-*.test.ts"],
                env: { HARNESS_TEST_START: "bundle" },
              },
            },
            {
              extends: true as const,
              test: {
                name: "servers from the snapshot",
                retry,
                globalSetup: "./packages/testkit/src/fresh-bundle.ts",
                include: ["e2e/wire/*.test.ts"],
                env: { HARNESS_TEST_START: "snapshot" },
              },
            },
          ]
        : []),
    ],
    // One more than the cores that there are at least: many tests wait for a process or for the disk.
    maxWorkers: 3,
    // Only ends what hangs: a test whose time counts would fail on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // For the processes that tests start from source: halves the work of such a start.
    env: { NODE_COMPILE_CACHE: resolve(import.meta.dirname, ".build/compile-cache") },
    reporters: ["default", "./packages/testkit/src/closing-line-reporter.ts"],
  },
});
