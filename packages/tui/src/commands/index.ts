import { clear } from "./clear.ts";
import type { CommandRow } from "./command-row.ts";
import { cost } from "./cost.ts";
import { doctor } from "./doctor.ts";
import { help } from "./help.ts";
import { history } from "./history.ts";
import { model } from "./model.ts";
import { newSession } from "./new.ts";
import { quit } from "./quit.ts";
import { rewind } from "./rewind.ts";
import { settings } from "./settings.ts";
import { stop } from "./stop.ts";
import { title } from "./title.ts";
import { trust } from "./trust.ts";
import { usage } from "./usage.ts";

/** Every slash command of the window, in the order help shows them; the server adds its own (`commands/list`). */
export const windowCommands: Readonly<Record<string, CommandRow>> = {
  help,
  new: newSession,
  clear,
  model,
  doctor,
  cost,
  usage,
  title,
  stop,
  rewind,
  trust,
  settings,
  history,
  quit,
};
