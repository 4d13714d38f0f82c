import type { ProviderView } from "@harness/protocol";
import { Box } from "ink";
import { TextBuffer } from "../../input/index.ts";
import { row, sanitise, sanitiseLine, span, wrapSpans } from "../../text/index.ts";
import { fieldRows } from "../../widgets/field-rows.ts";
import { RowList, RowName, Themed } from "../../widgets/themed.tsx";
import { credentialsOf, credentialText, type KeysState, type LoginWork } from "./credentials-state.ts";

const NAME_COLUMNS = 28;
/** Longer keys show only this many dots. */
const MAX_DOTS = 48;

type KeyRowProps = { readonly provider: ProviderView; readonly marked: boolean; readonly keys: KeysState };

/** A provider with the key or login that it is used with, masked. */
export function KeyRow({ provider, marked, keys }: KeyRowProps) {
  const [first, ...others] = credentialsOf(keys, provider.id);
  const more = others.length > 0 ? `  +${others.length}` : "";
  return (
    <Box>
      <Box width={NAME_COLUMNS} flexShrink={0}>
        <RowName marked={marked}>{sanitiseLine(provider.id)}</RowName>
      </Box>
      <Themed bold={marked} tone={first ? undefined : "muted"}>
        {first ? sanitiseLine(`${credentialText(first)}${more}`) : "(none)"}
      </Themed>
      <Themed tone="muted">{provider.ready ? "  ready" : ""}</Themed>
    </Box>
  );
}

type KeyDetailProps = Omit<KeyRowProps, "marked"> & { readonly columns: number };

/** Details of the marked provider, or the field or question about its key. */
export function KeyDetail({ provider, keys, columns }: KeyDetailProps) {
  const { work } = keys;
  if (work?.kind === "typing") {
    const dots = TextBuffer.of("•".repeat(Math.min(MAX_DOTS, work.length)));
    return <RowList rows={fieldRows({ label: `Key for ${sanitiseLine(work.name)}: `, buffer: dots, columns })} />;
  }
  if (work?.kind === "removing") {
    return (
      <Themed tone="warning" wrap="wrap">
        {`Remove the key or login of ${sanitiseLine(work.name)}? y removes it, any other key keeps it.`}
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

/** Shown in place of the settings while a login is pending. The address has rows of its own so that it can be copied. */
export function LoginPanel({ work, columns }: { readonly work: LoginWork; readonly columns: number }) {
  const { login, name, pasted } = work;
  if (!login) return <Themed tone="muted">{` Beginning the login to ${sanitiseLine(name)}…`}</Themed>;
  const address = wrapSpans(row(span(sanitiseLine(login.url))).spans, columns, "hard");
  const { redirect, paste } = login;
  const waiting = redirect
    ? `Waiting for the browser to come back to ${redirect}. Where it cannot: ${paste}.`
    : `Then ${paste}.`;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Themed>{` Open this address in your browser, and log in to ${sanitiseLine(name)}:`}</Themed>
      <Box height={1} />
      <RowList rows={address} />
      <Box flexDirection="column" paddingX={1} paddingTop={1}>
        <Themed tone="muted" wrap="wrap">
          {sanitise(waiting)}
        </Themed>
        <RowList rows={fieldRows({ label: "Pasted: ", buffer: pasted, columns: columns - 2 })} />
      </Box>
    </Box>
  );
}
