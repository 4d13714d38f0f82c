export { flags, subcommands } from "./command-line/flags.ts";
export { exitCodes } from "./process/exit-codes.ts";
