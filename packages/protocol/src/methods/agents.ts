import * as z from "zod";
import { AgentDefinition } from "../vocabulary/agent-definition.ts";
import { request } from "./table.ts";

/** Whose folder it is in: `person`: that of the settings, `project`: `.harness` of the working folder. */
const owner = z.enum(["person", "project"]);

/** A named agent with its file. */
export const NamedAgentView = AgentDefinition.extend({
  path: z.string(),
  owner,
  /** Files of the same name that count less. */
  shadows: z.array(z.string()),
  /** Sentences on what of the file has no effect. */
  notes: z.array(z.string()),
});
export type NamedAgentView = z.infer<typeof NamedAgentView>;

export const UnusedAgentFile = z.object({
  path: z.string(),
  /** A sentence. */
  problem: z.string(),
  /** It counts once its folder is trusted. */
  needsTrust: z.boolean().optional(),
});
export type UnusedAgentFile = z.infer<typeof UnusedAgentFile>;

export const agentMethods = {
  "agents/definitions": request({
    doc: "The named agents that count in a folder, by name, and files of agents that do not count, with the reason.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ cwd: z.string().optional() }),
    result: z.object({ agents: z.array(NamedAgentView), unused: z.array(UnusedAgentFile) }),
  }),
  "agents/save": request({
    doc: "Writes a named agent as Markdown, or says why it is not valid. One that exists is replaced with `replace` only. In a folder that was trusted, or that brings nothing else, the file is trusted with it.",
    lane: "global",
    idempotent: true,
    access: "control",
    params: z.object({
      cwd: z.string().optional(),
      agent: AgentDefinition,
      owner: owner.default("person"),
      replace: z.boolean().default(false),
    }),
    result: z.object({ path: z.string(), notes: z.array(z.string()) }),
  }),
  "agents/remove": request({
    doc: "Removes the file of a named agent that `agents/save` could have written; another one of its name may count then.",
    lane: "global",
    idempotent: true,
    access: "control",
    params: z.object({ cwd: z.string().optional(), name: z.string(), owner: owner.default("person") }),
    result: z.object({ removed: z.boolean() }),
  }),
};
