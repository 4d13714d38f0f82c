import * as z from "zod";
import { request } from "../table.ts";

const ExtensionOwner = z.enum(["person", "project"]);

/** A file of a source. */
const ExtensionEntry = z.object({
  kind: z.enum([
    "tool",
    "command",
    "hook",
    "hook-file",
    "provider",
    "prompt",
    "skill",
    "agent",
    "mcp",
    "lsp",
    "settings",
  ]),
  name: z.string(),
  /** For a hook. */
  stage: z.string().optional(),
  path: z.string(),
  owner: ExtensionOwner,
  /** The folder of its source. */
  source: z.string(),
  /** Files of the same name that it replaces, from the most general to the most local. */
  shadows: z.array(z.string()),
  /** The file of the same name that replaces it. */
  shadowedBy: z.string().optional(),
  /** Why it is not used, as a sentence. */
  problem: z.string().optional(),
  /** False if it lacks the user's trust. */
  trusted: z.boolean(),
});
export type ExtensionEntry = z.infer<typeof ExtensionEntry>;

export const extensionMethods = {
  "extensions/list": request({
    doc: "Everything in the sources of a folder, from the most general to the most local, and files that are not used, with the reason.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ cwd: z.string().optional() }),
    result: z.object({
      sources: z.array(
        z.object({
          folder: z.string(),
          owner: ExtensionOwner,
          /** The program that the folder belongs to. */
          layout: z.enum([
            "harness",
            "claude",
            "agents",
            "tinyharness",
            "codex",
            "cursor",
            "vscode",
            "gemini",
            "folder",
          ]),
        }),
      ),
      entries: z.array(ExtensionEntry),
    }),
  }),
};
