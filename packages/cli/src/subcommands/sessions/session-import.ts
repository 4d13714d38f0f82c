import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { amount, byteSize, type ImportSourceName, importSources, localTime, wordList } from "@harness/protocol";
import { CliError } from "../../process/exit-codes.ts";
import { textTable } from "../../text/text-table.ts";
import type { SubcommandContext, SubcommandHandler } from "../run-subcommand.ts";

const HEADER = ["CHANGED", "PROGRAM", "SIZE", "TITLE", "FILE"];
const MAX_LISTED = 50;

/** `harness session import FILE`: makes a session of one of another program; `--from PROGRAM` lists those that there are. */
export const sessionImportSubcommand: SubcommandHandler = async (visit) => {
  const { client, line, say } = visit;
  const [file] = line.positionals;
  if (line.has("from") || line.has("list")) {
    if (file !== undefined)
      throw new CliError("usage", "--from and --list show what there is: leave FILE out, or leave them out.");
    return await list(visit);
  }
  if (file === undefined)
    throw new CliError(
      "usage",
      `Name a file, or list what there is: harness session import --from ${importSources.join("|")}.`,
    );
  // The folder to go on in: only the one that was named, for a session has one of its own.
  const cwd = line.has("cd") ? { cwd: visit.cwd } : {};
  const imported = await client.call("session/import", { path: pathOf(file, visit.cwd), ...cwd });
  if (line.has("json")) say(JSON.stringify(imported));
  else {
    const { messages, from, left, isKnown, earlier } = imported;
    if (isKnown) say(`It was imported from ${from} before, as it is now. Nothing was added.`);
    else say(`Imported ${amount(messages, "message")} from ${from}. ${left}`);
    if (earlier.length > 0)
      say(`Imported before, with the same beginning, and still there: ${wordList(earlier, "and")}.`);
    say(`Go on with it: harness --cd ${shellWord(imported.cwd)} -r ${imported.sessionId}`);
  }
  return "done";
};

/** A file here, or in the folder of `--cd`. */
function pathOf(file: string, cwd: string): string {
  const here = resolve(file);
  return existsSync(here) ? here : resolve(cwd, file);
}

async function list({ client, line, say, note }: SubcommandContext): Promise<"done"> {
  const named = importSources.find((each) => each === line.value("from"));
  const limit = line.has("json") ? 500 : MAX_LISTED;
  const ofProgram = async (from: ImportSourceName) => ({
    from,
    ...(await client.call("session/importable", { from, limit })),
  });
  const found = await Promise.all((named ? [named] : importSources).map(ofProgram));
  const sessions = found
    .flatMap(({ from, title: program, sessions: own }) => own.map((each) => ({ ...each, from, program })))
    .sort((one, other) => other.changedAt.localeCompare(one.changedAt))
    .slice(0, limit);
  const total = found.reduce((sum, each) => sum + each.total, 0);
  if (line.has("json")) {
    say(JSON.stringify({ sessions, total }));
    return "done";
  }
  if (total === 0) {
    for (const { title, folders } of found) say(`${title} has no sessions in ${wordList(folders, "or")}.`);
    return "done";
  }
  const rows = sessions.map(({ path, changedAt, program, bytes, title = "" }) => {
    const { date, minutes } = localTime(changedAt);
    return [`${date} ${minutes}`, program, byteSize(bytes), title, path];
  });
  say(textTable(HEADER, rows, process.stdout.columns));
  note("harness: harness session import FILE takes one over.");
  if (total > sessions.length)
    note(`harness: only the newest ${sessions.length} of ${total} are shown; --json has more.`);
  return "done";
}

function shellWord(text: string): string {
  return /^[\w./~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
