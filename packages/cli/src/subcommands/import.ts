import { isatty } from "node:tty";
import { amount, type Leftover } from "@harness/protocol";
import { CliError } from "../process/exit-codes.ts";
import { textTable } from "../text/text-table.ts";
import { confirm } from "./confirm.ts";
import type { SubcommandContext, SubcommandHandler } from "./run-subcommand.ts";

const COMES = ["FROM", "THERE", "BECOMES"];
const STAYS = ["FROM", "THERE", "DOES NOT COME"];

/** `harness import`: lists what other programs left in their places, asks, and takes it over. */
export const importSubcommand: SubcommandHandler = async (visit) => {
  const { client, line, say, note } = visit;
  const { items, version, answer } = await client.call("import/list", {});
  const isLook = line.has("list") || (line.has("json") && !line.has("yes"));
  if (isLook && line.has("json")) {
    say(JSON.stringify({ items, ...(answer === undefined ? {} : { answer }) }));
    return "done";
  }
  if (!line.has("json")) show(visit, items);
  const coming = items.filter(({ becomes }) => becomes !== undefined);
  if (isLook || (coming.length === 0 && !line.has("yes"))) return "done";
  if (!line.has("yes")) {
    if (!isatty(0) || !isatty(2))
      throw new CliError("usage", "Asking needs a terminal. To take over all that can come: harness import --yes");
    if (!(await confirm({ question: `Take over ${coming.length} of these? (y/N) `, ...visit.stopping }))) {
      await client.call("import/decline", {});
      note("Nothing was changed. harness import shows it again.");
      return "denied";
    }
  }
  const { taken, problems } = await client.call("import/take", { version });
  for (const problem of problems) note(`harness: ${problem}`);
  if (line.has("json")) say(JSON.stringify({ taken, problems }));
  else say(`Taken over: ${amount(taken.length, "thing")}. Nothing was changed in the old places.`);
  return problems.length > 0 ? "failed" : "done";
};

function show({ say }: SubcommandContext, items: readonly Leftover[]): void {
  const coming = items.filter(({ becomes }) => becomes !== undefined);
  const staying = items.filter(({ becomes }) => becomes === undefined);
  if (items.length === 0) say("Other programs have left nothing that can be taken over.");
  if (coming.length > 0) say(`${textTable(COMES, coming.map(row), process.stdout.columns)}\n`);
  if (staying.length > 0) say(`${textTable(STAYS, staying.map(row), process.stdout.columns)}\n`);
  const paths = [...new Set(items.map(({ path }) => path))];
  if (paths.length > 0) say(`From ${paths.join(", ")}. These files are only read.`);
}

function row({ program, name, path, becomes, why }: Leftover): string[] {
  return [program, name === "" ? path : name, becomes ?? why ?? ""];
}
