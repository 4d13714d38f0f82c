import { byteCount } from "@harness/client/actions";
import type { MentionPreview } from "@harness/protocol";
import { tokenCount } from "../figures/token-count.ts";
import { type Attachments, attachments } from "../state/attachments.ts";
import type { ChromeView } from "../state/chrome-view.ts";
import { prefixRows, type Row, row, type Span, sanitiseLine, span, style, wrapSpans } from "../text/index.ts";
import { inset } from "../widgets/boxes.ts";

const NAME = style({ fg: "accent" });
const MUTED = style({ fg: "muted" });
const WARNING = style({ fg: "warning" });
const ERROR = style({ fg: "error" });
/** Any more are only counted. */
const MAX_ROWS = 4;

/** Attachments of the message being typed: pictures and mentioned files with their sizes, and problems. */
export function attachmentRows({ slices, size }: Pick<ChromeView, "slices" | "size">): Row[] {
  const { pictures, loading, mentions, model, seesImages } = attachments.of({ slices });
  const chips = [
    ...pictures.map(({ name, original }, at) => [
      span(`image ${at + 1} ${sanitiseLine(name)}`, NAME),
      span(original.widthPx > 0 ? ` ${pixels(original)}, ${byteCount(original.sizeBytes)}` : "", MUTED),
    ]),
    ...(loading > 0 ? [[span("reading an image…", MUTED)]] : []),
    ...mentions.filter(({ problem, warning }) => (problem ?? warning) === undefined).map(mentionSpans),
  ];
  const width = size.columns - 2;
  const rows = chips.length === 0 ? [] : wrapSpans(chips.flatMap(withSeparator), width);
  const shown = rows.length > MAX_ROWS ? [...rows.slice(0, MAX_ROWS - 1), row(span("…", MUTED))] : rows;
  const hasPictures = pictures.length > 0 || mentions.some(({ kind }) => kind === "image");
  return inset(
    [...shown, ...problemRows(mentions, width), ...(hasPictures ? blindRows({ model, seesImages }, width) : [])],
    size.columns,
  );
}

function pixels({ widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number }): string {
  return `${widthPx}×${heightPx}`;
}

function withSeparator(chip: readonly Span[], at: number): Span[] {
  return at === 0 ? [...chip] : [span(" · ", MUTED), ...chip];
}

function mentionSpans({ mention, tokens, widthPx, heightPx, sizeBytes }: MentionPreview): Span[] {
  const size = [
    ...(widthPx !== undefined && heightPx !== undefined ? [pixels({ widthPx, heightPx })] : []),
    ...(sizeBytes === undefined ? [] : [byteCount(sizeBytes)]),
    ...(tokens === undefined ? [] : [`${tokenCount(tokens)} ${tokens === 1 ? "token" : "tokens"}`]),
  ];
  return [span(`@${sanitiseLine(mention)}`, NAME), span(size.length > 0 ? ` ${size.join(", ")}` : "", MUTED)];
}

function problemRows(mentions: readonly MentionPreview[], width: number): Row[] {
  return mentions
    .filter(({ problem, warning }) => (problem ?? warning) !== undefined)
    .slice(0, MAX_ROWS)
    .flatMap(({ problem, warning = "" }) =>
      problem === undefined ? wrongRows(warning, width, WARNED) : wrongRows(problem, width, REFUSED),
    );
}

const WARNED = span("! ", WARNING);
const REFUSED = span("✗ ", ERROR);

function wrongRows(text: string, width: number, mark: Span): Row[] {
  const words = { ...mark, text: sanitiseLine(text) };
  return prefixRows(wrapSpans([words], width - mark.text.length), [mark], [span("  ")]);
}

function blindRows({ model, seesImages }: Pick<Attachments, "model" | "seesImages">, width: number): Row[] {
  if (seesImages !== false) return [];
  const name = sanitiseLine(model ?? "The model");
  const words = `${name} cannot see images: it is only told that an image was left out. /model chooses another model.`;
  return wrongRows(words, width, WARNED);
}
