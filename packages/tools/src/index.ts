export { BackgroundProcesses } from "./background/background-processes.ts";
export { type BuiltinToolsOptions, builtinTools } from "./builtin-tools.ts";
export { changedSince } from "./files/changed-since.ts";
export { createShellGrammar } from "./grammar/bash-grammar.ts";
export { imageForModel } from "./images/fitted-image.ts";
export { endOrphans } from "./process/orphans.ts";
export type { Sandbox, SandboxOptions } from "./sandbox/sandbox.ts";
export { Sandboxes } from "./sandbox/sandboxes.ts";
export type { SearchSettings, WebPorts } from "./web/web-ports.ts";
