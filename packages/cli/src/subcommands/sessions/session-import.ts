import { resolve } from "node:path";
import { byteSize, importSources, localTime } from "@harness/protocol";
import { CliError } from "../../process/exit-codes.ts";
import { textTable } from "../../text/text-table.ts";
import type { SubcommandContext, SubcommandHandler } from "../run-subcommand.ts";

const HEADER = ["CHANGED", "SIZE", "TITLE", "FILE"];
const MAX_LISTED = 50;

/** `harness session import FILE`: makes a session of one of another program; `--from PROGRAM` lists those that there are. */
export const sessionImportSubcommand: SubcommandHandler = async (visit) => {
  const { client, line, say } = visit;
  const [file] = line.positionals;
  if (line.has("from")) {
    if (file !== undefined) throw new CliError("usage", "--from lists what there is: leave FILE or --from out.");
    return await list(visit);
  }
  if (file === undefined)
    throw new CliError(
      "usage",
      `Name a file, or list what there is: harness session import --from ${importSources.join("|")}.`,
    );
  // The folder to go on in: only the one that was named, for a session has one of its own.
  const cwd = line.has("cd") ? { cwd: visit.cwd } : {};
  const from = line.has("cd") ? process.cwd() : visit.cwd;
  const imported = await client.call("session/import", { path: resolve(from, file), ...cwd });
  if (line.has("json")) say(JSON.stringify(imported));
  else {
    const count = `${imported.messages} ${imported.messages === 1 ? "message" : "messages"}`;
    say(`Imported ${count} from ${imported.from}. ${imported.left}`);
    say(`Go on with it: harness --cd ${shellWord(imported.cwd)} -r ${imported.sessionId}`);
  }
  return "done";
};

async function list({ client, line, say, note }: SubcommandContext): Promise<"done"> {
  const wanted = importSources.find((each) => each === line.value("from")) ?? "claude";
  const limit = line.has("json") ? 500 : MAX_LISTED;
  const { sessions, total } = await client.call("session/importable", { from: wanted, limit });
  if (line.has("json")) {
    say(JSON.stringify({ sessions, total }));
    return "done";
  }
  if (total === 0) {
    say(`There are no sessions of ${wanted} in its usual place.`);
    return "done";
  }
  const rows = sessions.map(({ path, changedAt, bytes, title = "" }) => {
    const { date, minutes } = localTime(changedAt);
    return [`${date} ${minutes}`, byteSize(bytes), title, path];
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
