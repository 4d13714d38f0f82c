import { join } from "node:path";
import type { Clock } from "@harness/gate";
import { diskProblem, errorCode, PrivateLog, systemReason } from "@harness/host";
import { StoredPrompt } from "@harness/protocol";
import type { ConfigPaths } from "../config-paths.ts";
import { linesFromEnd, MAX_LINE_BYTES } from "../lines/lines-from-end.ts";
import { redact } from "../secrets/redact.ts";
import type { Redactor } from "../secrets/redactor.ts";

/** `cwd`: limits the result to texts typed in this folder. */
type PromptQuery = { readonly limit: number; readonly cwd?: string };

/** Everything that the user has typed, in all windows and sessions. */
export type PromptLog = {
  readonly path: string;
  /** Saves a text without its secrets. False: it was too long, or could not be written (`problem`). */
  add(prompt: { readonly cwd: string; readonly text: string }): {
    readonly kept: boolean;
    readonly problem?: string | undefined;
  };
  /** The newest texts, oldest first, without duplicates. Never rejects. */
  list(query: PromptQuery): Promise<{ prompts: StoredPrompt[]; problems: string[] }>;
};

type PromptLogOptions = {
  configPaths: Pick<ConfigPaths, "root">;
  clock: Pick<Clock, "now">;
  redactor(cwd: string): Redactor;
  /** The size at which a new file is started. */
  maxBytes?: number;
};

/** Two files of this size hold about ten thousand prompts. */
const MAX_BYTES = 2 * 1024 * 1024;
/** For one answer, which fits thousands of prompts of usual length. */
const MAX_ANSWER = 2_000_000;

/** `prompt-history.jsonl`, shared by all the user's harness processes. Reads and creates nothing yet. */
export function openPromptLog({ configPaths, clock, redactor, maxBytes = MAX_BYTES }: PromptLogOptions): PromptLog {
  const log = new PrivateLog(join(configPaths.root, "prompt-history.jsonl"), { maxBytes, kept: 1 });
  return {
    path: log.path,
    add({ cwd, text }) {
      // A text that would not fit is not searched for secrets either.
      if (text.trim() === "" || Buffer.byteLength(text) >= MAX_LINE_BYTES) return { kept: false };
      const clean = redact(redactor(cwd).hide(text), []);
      const line = JSON.stringify({ at: new Date(clock.now()).toISOString(), cwd, text: clean });
      if (Buffer.byteLength(line) >= MAX_LINE_BYTES) return { kept: false };
      try {
        log.append(line);
        return { kept: true };
      } catch (error) {
        return { kept: false, problem: `${log.path}: ${systemReason(error)}` };
      }
    },
    async list({ limit, cwd }) {
      const found = new Map<string, StoredPrompt>();
      const problems: string[] = [];
      let size = 0;
      for (const path of log.files) {
        try {
          for await (const line of linesFromEnd(path)) {
            const prompt = promptOf(line);
            if (!prompt || found.has(prompt.text) || (cwd !== undefined && prompt.cwd !== cwd)) continue;
            size += prompt.text.length;
            if (found.size >= limit || size > MAX_ANSWER) break;
            found.set(prompt.text, prompt);
          }
        } catch (error) {
          if (errorCode(error) !== "ENOENT") problems.push(diskProblem(error, "read the prompt history", path));
        }
      }
      return { prompts: [...found.values()].reverse(), problems };
    },
  };
}

/** Undefined for a damaged line, whose end may be missing after a crash. */
function promptOf(line: string): StoredPrompt | undefined {
  if (line === "") return undefined;
  try {
    const read = StoredPrompt.safeParse(JSON.parse(line));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}
