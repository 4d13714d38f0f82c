// The part of build-options.mjs that tests use.
import type { BuildOptions } from "esbuild";
export const commonOptions: BuildOptions;
export const root: string;
