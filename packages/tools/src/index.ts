export { BackgroundProcesses } from "./background/background-processes.ts";
export { type BuiltinToolsOptions, builtinTools } from "./builtin-tools.ts";
export { createFileLedger } from "./files/file-ledger.ts";
export { createShellGrammar } from "./grammar/bash-grammar.ts";
export { imageForModel } from "./images/fitted-image.ts";
export { endOrphans } from "./process/orphans.ts";
export { createSandbox, type Sandbox, type SandboxOptions } from "./sandbox/sandbox.ts";
export type { SearchSettings, WebPorts } from "./web/web-ports.ts";
