/** A command prefix. `raw`: as written, if it was written as text. */
export type CommandStart = { argv: readonly string[]; rest: "any" | "none"; raw?: string };
