// The part of v8-flags.mjs that tests use.
export const startFlags: readonly string[];
export const idleFlags: readonly string[];
export const runFlags: readonly string[];
export const runTunables: string;
