export { flagUsage } from "./command-line/flag-lines.ts";
export { type FlagName, flags } from "./command-line/flags.ts";
export { subcommands } from "./command-line/subcommand-rows.ts";
export { exitCodes } from "./process/exit-codes.ts";
