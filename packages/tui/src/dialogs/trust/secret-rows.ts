import type { ProviderSecrets, TrustView } from "@harness/protocol";
import { secretsInQuestion } from "../../state/trust-dialog.ts";
import { prefixRows, type Row, row, span, style, visible, wrapSpans } from "../../text/index.ts";

const MUTED = style({ fg: "muted" });
const BOLD = style({ bold: true });
const WARNING = style({ fg: "warning" });

/** The secrets that a provider of the folder asks for, and what granting them means. */
export function secretRows({ root, items }: TrustView, provider: ProviderSecrets, width: number): Row[] {
  const { variables, kept } = secretsInQuestion(provider);
  const detail = items.find(({ path }) => path === provider.path)?.detail;
  return [
    ...wrapSpans([span("Folder    ", MUTED), ...visible(root)], width, "hard"),
    ...wrapSpans([span("Provider  ", MUTED), ...visible(provider.provider, BOLD)], width, "hard"),
    ...wrapSpans([span("File      ", MUTED), ...visible(provider.path)], width, "hard"),
    ...(detail === undefined
      ? []
      : prefixRows(
          wrapSpans(visible(detail), Math.max(1, width - 2), "hard"),
          [span("│ ", MUTED)],
          [span("┊ ", MUTED)],
        )),
    row(span(" ")),
    row(span("It asks for these secrets of yours, and can send them anywhere:", WARNING)),
    ...variables.flatMap(({ name, set }) =>
      prefixRows(
        wrapSpans([...visible(name, BOLD), span(set ? "  set" : "  not set", MUTED)], width - 2, "hard"),
        [span("• ", MUTED)],
        [span("┊ ", MUTED)],
      ),
    ),
    ...(kept.length === 0
      ? []
      : wrapSpans([span("Granted before  ", MUTED), ...visible(kept.join(", "))], width, "hard")),
    row(span(" ")),
    ...wrapSpans([span("Single ones: harness trust --grant NAME, in a shell", MUTED)], width),
  ];
}

/** The secrets that providers ask for, and those they get, in the list of trusted things. */
export function grantedRows({ secrets = [] }: TrustView, width: number): Row[] {
  const states = { granted: "granted", withheld: "not granted", undecided: "not decided" } as const;
  return secrets.flatMap(({ provider, variables }) => [
    ...wrapSpans([...visible(provider, BOLD), span("  asks for secrets", MUTED)], width, "hard"),
    ...variables.flatMap(({ name, set, state }) =>
      prefixRows(
        wrapSpans([...visible(name), span(`  ${states[state]}${set ? "" : ", not set"}`, MUTED)], width - 4, "hard"),
        [span("  │ ", MUTED)],
        [span("  ┊ ", MUTED)],
      ),
    ),
  ]);
}
