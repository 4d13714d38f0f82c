export { exitCodes } from "./exit-codes.ts";
export { flags, subcommands } from "./flags.ts";
