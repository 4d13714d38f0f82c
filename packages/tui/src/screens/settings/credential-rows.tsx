import type { ProviderView } from "@harness/protocol";
import { Box } from "ink";
import { row, sanitise, sanitiseLine, span, style, wrapSpans } from "../../text/index.ts";
import { confirmText } from "../../widgets/confirm.ts";
import { LineField } from "../../widgets/line-field.tsx";
import { dots } from "../../widgets/line-input.ts";
import { Rows } from "../../widgets/rows.tsx";
import { Themed } from "../../widgets/themed.tsx";
import { credentialsOf, credentialText, type KeysState, type LoginWork } from "./credentials-state.ts";

const LABEL = style({ fg: "accent" });
const PASTED = [span("Pasted: ", LABEL)];

type KeyDetailProps = { readonly provider: ProviderView; readonly keys: KeysState };

/** Details of the marked provider, or the field or question about its key. */
export function KeyDetail({ provider, keys }: KeyDetailProps) {
  const { work } = keys;
  if (work?.kind === "typing") {
    const label = [span(`Key for ${sanitiseLine(work.name)}: `, LABEL)];
    return <LineField label={label} text={dots(work.length)} isSecret />;
  }
  if (work?.kind === "removing") {
    return (
      <Themed tone="warning" wrap="wrap">
        {confirmText(`Remove the key or login of ${sanitiseLine(work.name)}?`, "Remove", work.confirm)}
      </Themed>
    );
  }
  const others = credentialsOf(keys, provider.id).filter(({ unused }) => unused);
  return (
    <Box flexDirection="column">
      <Themed wrap="wrap">{sanitise(provider.detail)}</Themed>
      {others.map((each) => (
        <Themed key={credentialText(each)} tone="muted">
          {sanitiseLine(`Not used: ${credentialText(each)}`)}
        </Themed>
      ))}
    </Box>
  );
}

/** Replaces the settings while a login is pending. The address has rows of its own so that it can be copied. */
export function LoginPanel({ work, columns }: { readonly work: LoginWork; readonly columns: number }) {
  const { login, name, pasted } = work;
  if (!login) return <Themed tone="muted">{` Starting the login to ${sanitiseLine(name)}…`}</Themed>;
  const address = wrapSpans(row(span(sanitiseLine(login.url))).spans, columns, "hard");
  const { redirect, paste } = login;
  const waiting = redirect
    ? `Waiting for the browser to return to ${redirect}. If it does not: ${paste}.`
    : `Then ${paste}.`;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Themed>{` Open this address in your browser, and log in to ${sanitiseLine(name)}:`}</Themed>
      <Box height={1} />
      <Rows rows={address} />
      <Box flexDirection="column" paddingX={1} paddingTop={1}>
        <Themed tone="muted" wrap="wrap">
          {sanitise(waiting)}
        </Themed>
        <LineField label={PASTED} text={pasted.text} />
      </Box>
    </Box>
  );
}
