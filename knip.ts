import type { KnipConfig } from "knip";

/** With `--production` the files and exports that only tests use are found; what ends in `!` counts for it. */
const isProduction = process.argv.includes("--production");

const config: KnipConfig = {
  ignoreBinaries: ["mkfifo", "openssl"],
  // Started by bin/check.ts by its name.
  ignoreDependencies: ["@biomejs/biome"],
  // A test may import what its neighbours use inside one file.
  ignoreExportsUsedInFile: isProduction,
  ignoreWorkspaces: isProduction ? ["packages/testkit"] : [],
  workspaces: {
    ".": {
      entry: [
        "bench/run.ts",
        "bin/*.{mjs,ts}!",
        "docs/{contract-record,generate,picture}.ts",
        "docs/structure/check.ts",
        "examples/*.mjs",
      ],
      project: ["bench/**/*.ts", "bin/**", "docs/**/*.ts", "examples/**"],
    },
    "packages/*": {
      entry: [
        "src/main.ts!",
        // Started as processes or threads of their own.
        "src/sandbox/proxy/main.ts!",
        "src/web/markdown-thread.ts!",
        "src/worker/main.ts!",
        "src/model-server/start.ts",
      ],
      project: ["src/**/*.{ts,tsx}!", "test/**/*.{ts,tsx}"],
    },
  },
};

// biome-ignore lint/style/noDefaultExport: knip loads its configuration by the default export.
export default config;
