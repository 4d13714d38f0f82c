import { mkdir } from "node:fs/promises";
import { arch, platform, release } from "node:os";
import { join } from "node:path";
import { errorCode, writeNewFile } from "@harness/host";
import type { ServerCommand, ServerCommandContext } from "./server-command.ts";

/** A report that a person can complete and send: harness sends nothing by itself. */
export const bugCommand: ServerCommand = {
  aliases: ["feedback"],
  description: "Write a report about a problem: versions and settings, no messages and no keys; nothing is sent.",
  argumentHint: "[WORDS]",
  needsSession: false,
  async run(context, args) {
    const folder = join(context.host.person.folder, "reports");
    const path = join(folder, `${new Date().toISOString().replace(/[-:]|\.\d+/g, "")}.md`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      writeNewFile(path, await report(context, args), { mode: 0o600 });
    } catch (error) {
      return {
        text: `The report could not be written to ${folder}: ${errorCode(error) ?? String(error)}`,
        exitCode: 1,
      };
    }
    return [
      `Written to ${path}. It has versions, modes and names of settings; no messages, no values, no keys. Nothing was sent.`,
      "Add what you did and what happened. If the conversation helps, and may be shared: /export.",
    ].join("\n");
  },
};

async function report({ host, workspace, session }: ServerCommandContext, words: string): Promise<string> {
  const { provider, model, permissionMode, mode, sandbox } = session
    ? ((await host.sessions.hud.read(session.sessionId)) ?? (await host.sessions.hud.preview(workspace)))
    : await host.sessions.hud.preview(workspace);
  const { TERM = "", TERM_PROGRAM = "", COLORTERM = "" } = host.identity.env;
  const changed = workspace.settings.load().views.filter(({ source }) => source !== "default");
  return [
    "# What happened",
    "",
    words === "" ? "(what you did, what you expected, what you saw)" : words,
    "",
    "# Where",
    "",
    `- harness ${host.identity.version}, Node.js ${process.version}, ${platform()} ${release()} ${arch()}`,
    `- terminal: TERM=${TERM} TERM_PROGRAM=${TERM_PROGRAM} COLORTERM=${COLORTERM}`,
    `- model: ${model ?? "none"}, provider: ${provider ?? "none"}`,
    `- mode: ${mode ?? "agent"}, permissions: ${permissionMode}, sandbox: ${sandbox?.active ? "on" : "off"}`,
    `- session: ${session?.sessionId ?? "none"}`,
    `- settings that are not at their defaults: ${changed.map(({ key }) => key).join(", ") || "none"}`,
    "",
  ].join("\n");
}
