import { hookLines, whyLines } from "@harness/workspace";
import { misused, type ServerCommand } from "./server-command.ts";

export const hooksCommand: ServerCommand = {
  description: "List the hooks by stage, or say why one of them ran or did not.",
  argumentHint: "[why STAGE]",
  needsSession: false,
  run({ workspace }, args) {
    const [verb, event, ...more] = args.split(/\s+/).filter(Boolean);
    const { hooks } = workspace.brought;
    if (verb === undefined) return hookLines(hooks.list()).join("\n");
    if (verb !== "why" || event === undefined || more.length > 0) throw misused("Type /hooks or /hooks why STAGE.");
    const why = hooks.why(event);
    return whyLines(why.event, why.hooks).join("\n");
  },
};
