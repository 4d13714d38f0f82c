import type { Effect } from "@harness/protocol";
import * as z from "zod";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../ports/tool.ts";
import { titleLine } from "./title-line.ts";

export const RECALL = "recall";

const args = z.strictObject({
  query: z.string().optional().describe("Words to search for"),
  seq: z.int().min(1).optional().describe("Shows this in full"),
  part: z.int().min(1).optional(),
  all_agents: z.boolean().optional(),
});
/** A search, or the number of the entry to show. */
export type RecallQuery = z.infer<typeof args>;

const argsWithOthers = args.extend({
  sessions: z.enum(["this", "others", "archived"]).optional(),
  session: z.string().max(100).optional().describe("The other session that `seq` is in"),
});
/** The same in other sessions: `session` is the one of `seq`; `sessions` is `archived` for those in the archive. */
export type RecallElsewhere = z.infer<typeof argsWithOthers>;

const words = "Finds earlier messages and results of this session that you no longer see";

type OwnSearch<C> = (query: RecallQuery, context: C) => ToolResult;

/** The tool with which an agent finds what has left its context: the log still has it. */
export function recall<C extends ToolContext>(find: OwnSearch<C>): Tool {
  return defineTool({
    name: RECALL,
    description: `${words}.`,
    rareArgs: ["all_agents"],
    args,
    category: "readOnly",
    offer: "after-compaction",
    effects: () => [],
    title: ownTitle,
    run: async (order, context: C) => find(order, context),
  });
}

/** `isOffered`: from the first request on. `effects`: of a search in other sessions. */
type AnySearch<C> = {
  findOwn: OwnSearch<C>;
  findElsewhere(query: RecallElsewhere, context: C): Promise<ToolResult>;
  isOffered: boolean;
  effects(): Effect[];
};

/** The same tool, which can look into the other sessions of the folder as well. */
export function recallAny<C extends ToolContext>({ findOwn, findElsewhere, isOffered, effects }: AnySearch<C>): Tool {
  return defineTool({
    name: RECALL,
    description: `${words}, and what was said in other sessions of this folder.`,
    rareArgs: ["all_agents"],
    args: argsWithOthers,
    category: "readOnly",
    subject: "path",
    offer: isOffered ? "any-room" : "after-compaction",
    effects: (order) => (isElsewhere(order) ? effects() : []),
    title: (order) => (isElsewhere(order) ? titleElsewhere(order) : ownTitle(order)),
    run: async (order, context: C) => {
      if (isElsewhere(order)) return await findElsewhere(order, context);
      const { sessions: _sessions, session: _session, ...own } = order;
      return findOwn(own, context);
    },
  });
}

function isElsewhere({ sessions = "this", session }: RecallElsewhere): boolean {
  return sessions !== "this" || session !== undefined;
}

function ownTitle({ query = "", seq }: RecallQuery): string {
  return seq === undefined ? `${RECALL} ${titleLine(query)}` : `${RECALL} #${seq}`;
}

function titleElsewhere({ query = "", seq, session = "", sessions }: RecallElsewhere): string {
  if (seq !== undefined) return `${RECALL} #${seq} of session ${titleLine(session)}`;
  return `${RECALL} in ${sessions === "archived" ? "archived" : "other"} sessions: ${titleLine(query)}`;
}
