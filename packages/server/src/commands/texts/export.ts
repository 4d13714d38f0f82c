import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { ProtocolError } from "@harness/protocol";
import { exportToFile, formatOfFile } from "@harness/workspace";
import type { CommandAnswer, ServerCommand } from "../server-command.ts";

export const exportCommand: ServerCommand = {
  description:
    "Write the conversation to a new file: Markdown, or what its ending says (.html, .json, .atif.json, .harness.gz).",
  argumentHint: "[FILE]",
  needsSession: true,
  async run({ session, workspace, cwd, host }, args) {
    const { sessionId } = session;
    const named = withoutQuotes(args);
    // The project's own folder gets only the files that the person named.
    const unnamed = join(host.person.folder, "exports");
    const path = named === "" ? join(unnamed, `${sessionId}.md`) : resolve(cwd, named.replace(/^~(?=\/|$)/, homedir()));
    const format = formatOfFile(path);
    if (!format)
      return refusal(`Nothing was written: ${named} does not end in .md, .html, .json, .atif.json or .harness.gz.`);
    try {
      if (named === "") await mkdir(unnamed, { recursive: true, mode: 0o700 });
      const reading = await host.sessions.catalog.reader.pages(sessionId);
      const { version } = host.identity;
      const { left } = await exportToFile({ ...reading, workspace, version, format }, { path });
      return [`Written to ${path}.`, ...(left === undefined ? [] : [left])].join("\n");
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      const isTaken = error.message === `Nothing was written: ${path} exists.`;
      return refusal(isTaken ? `${error.message} Name another file: /export FILE.` : error.message);
    }
  },
};

/** The name in quotes, as a shell would take it. */
function withoutQuotes(args: string): string {
  const [, , inside = args] = /^(["'])(.*)\1$/s.exec(args.trim()) ?? [];
  return inside.trim();
}

/** A script that continues must learn that there is no file. */
function refusal(text: string): CommandAnswer {
  return { text, exitCode: 1 };
}
