import { existsSync, readdirSync } from "node:fs";
import type { KnipConfig } from "knip";

/** With `--production` the files and exports that only tests use are found; what ends in `!` counts for it. */
const isProduction = process.argv.includes("--production");

/** Started as processes of their own. */
const entries: Record<string, string[]> = {
  cli: ["src/main.ts!"],
  gguf: ["src/worker/main.ts!"],
  lsp: ["test/fake-server.ts"],
  mcp: ["test/servers/*.ts"],
  search: ["src/indexing/process/main.ts!", "src/query/process/main.ts!", "src/chunks/chunk-worker.ts!"],
  server: ["src/main.ts!"],
  testkit: ["src/model-server/start.ts"],
  web: ["page/main.ts!"],
  tools: ["src/sandbox/proxy/main.ts!", "src/web/markdown-converter.ts!", "src/images/image-converter.ts!"],
};

const packages = readdirSync("packages").map((name) => {
  const tests = existsSync(`packages/${name}/test`) ? ["test/**/*.{ts,tsx}"] : [];
  const page = existsSync(`packages/${name}/page`) ? ["page/**/*.ts!"] : [];
  return [
    `packages/${name}`,
    { entry: entries[name] ?? [], project: ["src/**/*.{ts,tsx}!", ...page, ...tests] },
  ] as const;
});

const config: KnipConfig = {
  ignoreBinaries: ["mkfifo", "openssl", "prlimit", "rg"],
  // Started by scripts/check.ts by its name.
  ignoreDependencies: ["@biomejs/biome"],
  // A test may import what its neighbours use inside one file.
  ignoreExportsUsedInFile: isProduction,
  ignoreWorkspaces: isProduction ? ["packages/testkit"] : [],
  workspaces: {
    ".": {
      entry: [
        "bench/run.ts",
        "build/*.{mjs,mts,ts}!",
        "build/package/make.mjs!",
        "build/snapshot/{entry,node-module}.mjs!",
        "examples/{,ci/}*.{mjs,ts}",
        "scripts/docs/{contract-record,generate,picture}.ts",
        "scripts/packages-for-tests.ts",
        "scripts/structure/check.ts",
      ],
      project: ["bench/**/*.ts", "build/**", "e2e/**/*.ts", "examples/**", "scripts/**"],
    },
    ...Object.fromEntries(packages),
  },
};

// biome-ignore lint/style/noDefaultExport: knip loads its configuration by the default export.
export default config;
