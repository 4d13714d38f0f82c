import { closestName } from "../../command-line/closest-name.ts";
import { CliError } from "../../process/exit-codes.ts";
import { textTable } from "../../text/text-table.ts";
import type { LineContext } from "./line-context.ts";

/** Lists the settings, shows one, or changes it. */
export async function runSettingsCommand({ mode, lines, cwd }: LineContext, args: string): Promise<void> {
  const [key = "", ...rest] = args.split(/\s+/);
  const { settings: views } = await mode.client.call("settings/get", { cwd });
  const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value ?? null));
  if (key === "" || key === "all")
    return lines.print(
      textTable(
        ["SETTING", "VALUE", "FROM"],
        views.map((each) => [each.key, shown(each.value), each.source]),
        process.stdout.columns,
      ),
    );
  const view = views.find((each) => each.key === key);
  if (!view) {
    const meant = closestName(
      key,
      views.map((each) => each.key),
    );
    throw new CliError(
      "usage",
      `There is no setting ${key}.${meant ? ` Did you mean ${meant}?` : " /settings lists them."}`,
    );
  }
  const typed = rest.join(" ");
  if (typed === "") return lines.print(`${key} is ${shown(view.value)} (${view.source}). ${view.doc}`);
  await mode.client.call("settings/set", {
    edits: [{ key, value: typed === "default" ? null : typedValue(view.type, typed) }],
  });
  lines.print(`${key} is now ${typed}.`);
}

/** Converts a typed value; the server validates it. */
function typedValue(type: string, typed: string): unknown {
  if (type === "number") return Number(typed);
  if (type === "boolean")
    return typed === "true" || typed === "on" ? true : typed === "false" || typed === "off" ? false : typed;
  return type === "list" ? typed.split(",").map((each) => each.trim()) : typed;
}
