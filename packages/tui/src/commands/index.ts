import type { CommandRow } from "./command-row.ts";
import { cost } from "./cost.ts";
import { doctor } from "./doctor.ts";
import { help } from "./help.ts";
import { history } from "./history.ts";
import { model } from "./model.ts";
import { newSession } from "./new.ts";
import { ps } from "./ps.ts";
import { quit } from "./quit.ts";
import { rewind } from "./rewind.ts";
import { settings } from "./settings.ts";
import { stop } from "./stop.ts";
import { title } from "./title.ts";
import { trust } from "./trust.ts";

/** Every slash command of the window, in the order help shows them; the server adds its own (`commands/list`). */
export const windowCommands: Readonly<Record<string, CommandRow>> = {
  help,
  new: newSession,
  model,
  doctor,
  cost,
  title,
  stop,
  rewind,
  ps,
  trust,
  settings,
  history,
  quit,
};

/** The row that a typed name means. */
export function windowCommand(name: string): CommandRow | undefined {
  if (Object.hasOwn(windowCommands, name)) return windowCommands[name];
  return Object.values(windowCommands).find(({ aliases = [] }) => aliases.includes(name));
}
