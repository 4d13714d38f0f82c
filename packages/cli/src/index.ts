export { flags } from "./command-line/flags.ts";
export { subcommands } from "./command-line/subcommand-rows.ts";
export { exitCodes } from "./process/exit-codes.ts";
