import { priceText } from "@harness/client";
import { modeWords } from "@harness/client/actions";
import { type Hud, wordList } from "@harness/protocol";
import { shortCount } from "../../figures/short-count.ts";
import type { ChromeView } from "../../state/chrome-view.ts";
import { modelName } from "../../state/selectors.ts";
import { type Row, row, type Span, sanitiseLine, span, style, truncateRow, wrapSpans } from "../../text/index.ts";
import { ago, formatCount } from "../../widgets/list-slice.ts";
import { homeSlice, lastVisit } from "./state.ts";

type View = ChromeView;

const MUTED = style({ fg: "muted" });
const WARNING = style({ fg: "warning" });
const STRONG = style({ bold: true });
const LABEL_COLUMNS = 14;

/** The state of this folder: model, permissions, instructions, and news. */
export function factRows(view: View, columns: number, nowMs: number): Row[] {
  const { hud, modelWarning } = view;
  const { word, doc } = modeWords({ permissionMode: view.permissionMode, mode: view.agentMode });
  const warning = modelWarning === undefined ? [] : wrapSpans([span(sanitiseLine(modelWarning), WARNING)], columns);
  const facts: [string, Span[]][] = [
    ["Model", modelSpans(view)],
    ...(hud ? [["Permissions", [span(word, STRONG), span(` · ${doc}`, MUTED)]] as [string, Span[]]] : []),
    ...instructionFacts(view),
    ...changeFacts(view, nowMs),
    ...offerFacts(view),
  ];
  const [model, ...others] = facts.map(([label, spans]) =>
    truncateRow(row(span(label.padEnd(LABEL_COLUMNS), MUTED), ...spans), columns),
  );
  return [...(model ? [model] : []), ...warning, ...others];
}

function modelSpans({ hud, providers }: View): Span[] {
  const model = modelName(hud);
  if (!hud || model === undefined) return [span("looking for one…", MUTED)];
  const { provider, context, price } = hud;
  const name = providers?.views.find(({ id }) => id === provider)?.name ?? provider;
  const { place = name && `from ${name}` } = hud;
  const facts = [...(context ? [contextText(context)] : []), ...(price ? [priceText(price)] : [])];
  return [
    span(sanitiseLine(model), STRONG),
    span(place === undefined ? "" : ` ${sanitiseLine(place)}`),
    span(facts.map((each) => ` · ${each}`).join(""), MUTED),
  ];
}

function contextText({ windowTokens, windowSource }: NonNullable<Hud["context"]>): string {
  return `${shortCount(windowTokens)} context${windowSource === "assumed" ? " (assumed)" : ""}`;
}

function instructionFacts(view: View): [string, Span[]][] {
  const { overview } = homeSlice.of(view);
  if (!overview) return [];
  const { instructions } = overview;
  if (instructions.length === 0) return [["Instructions", [span("none · /init writes AGENTS.md", MUTED)]]];
  const names = instructions.flatMap(({ path, untrusted }, at) => [
    span(at === 0 ? "" : " · ", MUTED),
    span(sanitiseLine(path)),
    ...(untrusted ? [span(" (not trusted: used as information only)", WARNING)] : []),
  ]);
  return [["Instructions", names]];
}

/** Things of other programs, which a command takes over. */
function offerFacts(view: View): [string, Span[]][] {
  const { offer = [] } = homeSlice.of(view);
  if (offer.length === 0) return [];
  const names = sanitiseLine(wordList(offer, "and"));
  return [
    ["Import", [span("harness import", STRONG), span(` takes over the settings and sessions of ${names}`, MUTED)]],
  ];
}

/** Commits since the last visit, and uncommitted changes. */
function changeFacts(view: View, nowMs: number): [string, Span[]][] {
  const { overview } = homeSlice.of(view);
  const { git } = view.hud ?? {};
  const since = lastVisit(view);
  const parts: Span[][] = [];
  const commits = overview?.commits;
  if (commits && since !== undefined && commits.count > 0) {
    const count = `${commits.count}${commits.more ? "+" : ""} new ${commits.count === 1 ? "commit" : "commits"}`;
    const subjects = commits.subjects.map(sanitiseLine).join(" · ");
    const authors = commits.authors.map(sanitiseLine).join(", ");
    parts.push([span(count), span(` by ${authors} since you left, ${ago(since, nowMs)}: ${subjects}`, MUTED)]);
  }
  if (git && git.changedFiles > 0) {
    const counts = git.added + git.removed > 0 ? countSpans(git) : [];
    parts.push([span(`${formatCount(git.changedFiles, "file")} not committed`), ...counts]);
  }
  if (parts.length === 0) return [];
  // The short part comes first, because the long one gets cut.
  const [first, ...more] = parts.reverse();
  return [["Changes", [...(first ?? []), ...more.flatMap((each) => [span(" · ", MUTED), ...each])]]];
}

/** ` +12 −3`. */
export function countSpans({ added, removed }: { added: number; removed: number }): Span[] {
  return [span(` +${added}`, style({ fg: "added" })), span(` −${removed}`, style({ fg: "removed" }))];
}
