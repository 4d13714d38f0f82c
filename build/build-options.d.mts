// What tests use of build-options.mjs.
import type { BuildOptions } from "esbuild";
export const commonOptions: BuildOptions;
export const root: string;
