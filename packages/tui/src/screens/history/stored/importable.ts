import type { ImportSourceName, Result, ServerMethods } from "@harness/protocol";

type FoundFile = Result<ServerMethods, "session/importable">["sessions"][number];

/** A session of another program, in its own place. */
export type ImportableSession = FoundFile & { readonly from: ImportSourceName };

/** The programs as people know them. */
export const programNames: Readonly<Record<ImportSourceName, string>> = {
  claude: "Claude Code",
  codex: "Codex",
  pi: "pi",
  gemini: "Gemini CLI",
  qwen: "Qwen Code",
  chat: "TinyHarness",
};
