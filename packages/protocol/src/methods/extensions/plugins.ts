import * as z from "zod";
import { hookStages, pluginKinds, pluginLanguages } from "../../choices.ts";
import { request } from "../table.ts";

const PluginKind = z.enum(pluginKinds);

/** One check in a test of a program; `warning`: it works, but could be better. */
const PluginCheck = z.object({
  name: z.string(),
  status: z.enum(["ok", "warning", "failed"]),
  detail: z.string().optional(),
});
export type PluginCheck = z.infer<typeof PluginCheck>;

/** A tool of a folder. */
const ListedTool = z.object({
  name: z.string(),
  description: z.string(),
  category: z.enum(["readOnly", "destructive", "signal"]),
  /** The MCP server that provides it. */
  server: z.string().optional(),
  /** For an executable; without it and without a server it is built in. */
  origin: z.object({ owner: z.enum(["person", "project"]), path: z.string() }).optional(),
  /** Files of its name without effect; `built-in` for the tool that comes with harness. */
  shadows: z.array(z.string()).optional(),
});
export type ListedTool = z.infer<typeof ListedTool>;

export const pluginMethods = {
  "tools/list": request({
    doc: "The tools that sessions of a folder have, with those of MCP servers that are ready, and executables that are not tools, with the reason. New executables are asked with `--schema` what they are.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ cwd: z.string().optional() }),
    result: z.object({
      tools: z.array(ListedTool),
      unused: z.array(z.object({ name: z.string(), path: z.string(), problem: z.string() })),
    }),
  }),
  "plugin/new": request({
    doc: "Writes a working tool, hook, command or provider into a source: that of the project in `cwd`, or the person's own.",
    lane: "global",
    idempotent: false,
    access: "control",
    params: z.object({
      cwd: z.string().optional(),
      kind: PluginKind,
      name: z.string(),
      lang: z.enum(pluginLanguages).default("sh"),
      owner: z.enum(["person", "project"]).default("project"),
      /** For a hook. */
      stage: z.enum(hookStages).default("tool_exec"),
    }),
    result: z.object({ path: z.string() }),
  }),
  "plugin/test": request({
    doc: "Runs a tool, hook, command or provider with recorded inputs, in an empty folder of its own, and says what is right and wrong about its answers.",
    lane: "free",
    idempotent: false,
    access: "control",
    params: z.object({
      cwd: z.string().optional(),
      path: z.string(),
      /** By default, what its folder implies. */
      kind: PluginKind.optional(),
      /** The arguments of a tool; by default, examples of its schema. */
      input: z.record(z.string(), z.unknown()).optional(),
    }),
    result: z.object({
      path: z.string(),
      kind: PluginKind,
      name: z.string(),
      stage: z.string().optional(),
      checks: z.array(PluginCheck),
    }),
  }),
};
