import type { PromptCommand, ToolMode } from "@harness/protocol";
import type { MapFile } from "../ports/code-search.ts";
import type { ToolSpec } from "../ports/provider.ts";
import type { Tool } from "../ports/tool.ts";
import type { PinnedReading, WorkspaceFacts } from "../ports/workspace.ts";

/** The wishes of the client that opened a session, as far as requests and verdicts follow from them. */
export type RecordedOpening = {
  allow: readonly string[];
  deny: readonly string[];
  additionalDirectories: readonly string[];
  customInstructions?: string | undefined;
};

/** Folders and files as the system text has described them: by folder, and by path. */
export type RecordedFolder = {
  workspaces: Readonly<Record<string, WorkspaceFacts>>;
  map: readonly MapFile[];
  pinned: Readonly<Record<string, PinnedReading>>;
};

/** The tool of an MCP server or a language server as it was described then. */
export type RecordedTool = Pick<
  Tool,
  "name" | "description" | "brief" | "inputSchema" | "category" | "offer" | "mcp" | "served" | "subject" | "usesStaged"
>;

/** A request as it was sent, apart from the text of its messages, which is in the session's log. */
export type RecordedRequest = {
  agentId: string;
  turnId: string;
  /** The number of the last fact that its messages follow from. */
  after: number;
  /** The agent had chosen its system text and its tools again. */
  isFresh: boolean;
  provider: string;
  model: string;
  contextWindow: number | undefined;
  effort: string | undefined;
  maxOutputTokens: number | undefined;
  toolMode: ToolMode;
  system: string;
  tools: readonly ToolSpec[];
  served: readonly RecordedTool[];
  folder: RecordedFolder;
  opening: RecordedOpening;
  /** The slash command that governed the turn. */
  command: PromptCommand | undefined;
};
