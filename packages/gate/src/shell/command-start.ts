/** The beginning of a command. `raw`: as it was written, where it was written as text. */
export type CommandStart = { argv: readonly string[]; rest: "any" | "none"; raw?: string };
