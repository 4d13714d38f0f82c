/**
 * The kinds of entries in a source. `hook`: an executable of a stage; `hook-file`: a file that names hooks in Claude's
 * format.
 */
export type EntryKind =
  | "tool"
  | "command"
  | "hook"
  | "hook-file"
  | "provider"
  | "prompt"
  | "skill"
  | "agent"
  | "mcp"
  | "lsp"
  | "settings";

/** A folder with agents, skills, commands and the like. */
export type Source = {
  folder: string;
  /** A project's sources count only if the user trusts them. */
  owner: "person" | "project";
  /**
   * The program that the folder belongs to: only some kinds are read from other programs' folders. `folder`: a folder
   * of a project itself.
   */
  layout: "harness" | "claude" | "agents" | "tinyharness" | "codex" | "cursor" | "vscode" | "gemini" | "folder";
};

export type SourceLocations = { configFolder: string; home: string };

/** A file of a source, as found. */
export type FoundEntry = {
  kind: EntryKind;
  /**
   * For a Markdown file, without its extension; for a skill, its folder's name; sub-folders of commands are separated
   * by `:`.
   */
  name: string;
  path: string;
  source: Source;
  /** For a hook, the stage whose folder it is in. */
  stage?: string;
  isExecutable: boolean;
  /** The `.conf` file of the same name beside an executable. */
  sidecar?: string;
  /** Changes with the file and its sidecar. */
  stamp: string;
  /** Why it is not used, as a sentence. */
  problem?: string;
};

/**
 * `needsTrust`: all it lacks is the user's trust in its folder. `hasLapsed`: the user trusted it, and it has changed
 * since.
 */
export type SourceEntry = FoundEntry & { needsTrust?: true; hasLapsed?: true };

/** Why a file among programs is not one, and what to do. */
export function notRunProblem(kind: EntryKind, path: string): string {
  if (!path.endsWith(".conf")) return `${path} is not used: it is not executable. Run chmod +x ${path}`;
  const program = `${kind === "hook" ? "the hook" : "the program"} that it belongs to, ${path.slice(0, -".conf".length)},`;
  return `${path} is not used: ${program} is gone. Put that back, or remove ${path}`;
}
