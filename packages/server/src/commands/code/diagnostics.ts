import { keepSettings } from "../safety/keep-settings.ts";
import { misused, type ServerCommand, type ServerCommandContext } from "../server-command.ts";

const HELP = [
  "/diagnostics: what language servers and check_command find wrong, and the servers with their memory",
  "/diagnostics allow: let servers of this folder itself run, and what runs its code",
].join("\n");

export const diagnosticsCommand: ServerCommand = {
  description: "Show what language servers and check_command find wrong, and the servers.",
  argumentHint: "[allow]",
  needsSession: false,
  run(context, args) {
    if (args === "allow") return allow(context);
    if (args !== "") throw misused(HELP);
    const { settings, files } = context.workspace;
    if (settings.values.diagnostics === "off") return "Edits are not checked: the setting diagnostics is off.";
    const { lines, isTrusted } = files.diagnostics;
    const hint = isTrusted ? [] : ["Servers of this folder itself are not started: /diagnostics allow lets them run."];
    if (lines.length > 0) return [...lines, ...hint].join("\n");
    return ["No language server was started: the first edit of a file starts that of its language.", ...hint].join(
      "\n",
    );
  },
};

function allow({ workspace, host }: ServerCommandContext): string {
  const { folder, files, settings } = workspace;
  if (files.diagnostics.isTrusted) return `Language servers of ${folder} may run already.`;
  const value = [...settings.values.language_server_folders, folder];
  const problem = keepSettings(host, [{ key: "language_server_folders", value }]);
  if (problem !== undefined) return problem;
  return `Language servers of ${folder} itself may run from the next edit on, outside any sandbox, with what agents write there (the setting language_server_folders); check_command as well, if there is no sandbox.`;
}
