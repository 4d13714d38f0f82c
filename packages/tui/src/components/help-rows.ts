import { knownCommands } from "../commands/known-commands.ts";
import { keyDocs, screenDocs } from "../docs.ts";
import type { ChromeView } from "../state/chrome-view.ts";
import { padRow, prefixRows, type Row, row, sanitiseLine, span, style, truncateRow, wrapSpans } from "../text/index.ts";
import { counted } from "./list-window.ts";

const ACCENT = style({ fg: "accent" });
const MUTED = style({ fg: "muted" });
const HEADING = style({ bold: true });
const NAME_COLUMNS = 34;
const HERE_COLUMNS = 17;

function entry(name: string, text: string, detail = ""): Row {
  const left = padRow(truncateRow(row(span(`  ${name}`, ACCENT)), NAME_COLUMNS - 1), NAME_COLUMNS);
  return row(...left.spans, span(text), ...(detail === "" ? [] : [span(`  ${detail}`, MUTED)]));
}

/** What holds right now and cannot be said in a word of the last row. */
function hereRows(hud: ChromeView["hud"], columns: number): Row[] {
  if (!hud) return [];
  const { sandbox, localOnly, permissionMode, mode, agentChanges, git } = hud;
  const contained = sandbox?.active
    ? "Commands run in the sandbox."
    : `Commands run without a sandbox, with all your rights${sandbox?.why ? `: ${sandbox.why}` : "."}`;
  const changes = (of: { added: number; removed: number; changedFiles: number }): string =>
    `${counted(of.changedFiles, "file")}, +${of.added} −${of.removed}`;
  const facts: [string, string][] = [
    ["Who decides", `${permissionMode} (Shift+Tab changes it)`],
    ...(mode === undefined ? [] : ([["Mode", mode]] as [string, string][])),
    ["Commands", contained],
    ...(localOnly
      ? ([["Network", "Local only: harness itself sends nothing beyond this machine and private networks."]] as [
          string,
          string,
        ][])
      : []),
    ...(git ? ([["Not committed", changes(git)]] as [string, string][]) : []),
    ...(agentChanges ? ([["By the agent", `${changes(agentChanges)}, in this session`]] as [string, string][]) : []),
  ];
  return [
    row(span("Here", HEADING)),
    ...facts.flatMap(([name, text]) => {
      const lead = padRow(row(span(`  ${name}`, ACCENT)), HERE_COLUMNS).spans;
      const rows = wrapSpans([span(sanitiseLine(text))], Math.max(10, columns - HERE_COLUMNS));
      return prefixRows(rows, lead, [span(" ".repeat(HERE_COLUMNS))]);
    }),
    row(span(" ")),
  ];
}

/** Made from what holds here, and the tables of commands, screens and keys. */
export function helpRows(view: Pick<ChromeView, "serverCommands" | "hud" | "size">): Row[] {
  const commands = knownCommands(view).map(({ name, description, argumentHint }) =>
    entry(`/${name}${argumentHint ? ` ${sanitiseLine(argumentHint)}` : ""}`, sanitiseLine(description)),
  );
  return [
    ...hereRows(view.hud, view.size.columns - 2),
    row(span("Commands", HEADING)),
    ...commands,
    row(span(" ")),
    row(span("Screens", HEADING)),
    ...screenDocs().map(([title = "", key = "", purpose = ""]) => entry(`${title} (${key})`, purpose)),
    row(span(" ")),
    row(span("Keys", HEADING)),
    ...keyDocs().map(([keys = "", where = "", what = ""]) => entry(keys, what, where)),
  ];
}
