/**
 * The end-to-end tests that `npm test` runs: for each part of the program a short file that crosses it, so that a
 * failure shows where it is. `npm run test:all` runs all of them.
 */
export const sample: Readonly<Record<string, readonly string[]>> = {
  acp: ["acp-sessions"],
  cli: ["observer", "proof", "run-steps"],
  examples: ["readme"],
  launcher: ["bundle"],
  lines: ["line-model"],
  subcommands: ["auth-login"],
  walks: ["siblings"],
  web: ["web-access"],
  window: ["window-life"],
  wire: [
    "faults",
    "listening",
    "mcp-everything",
    "prompt-history",
    "shell",
    "shutdown",
    "trust",
    "two-clients",
    "undo",
  ],
};
