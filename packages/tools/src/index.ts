export { type BuiltinToolsOptions, builtinTools } from "./builtin-tools.ts";
export { createFileLedger } from "./files/file-ledger.ts";
export { endOrphans } from "./process/orphans.ts";
