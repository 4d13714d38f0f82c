import { isatty } from "node:tty";
import type { ProviderSecrets, TrustView } from "@harness/protocol";
import { visibleText } from "@harness/protocol";
import { CliError } from "../../process/exit-codes.ts";
import { namesText } from "../../text/trust-text.ts";
import { confirm } from "../confirm.ts";
import type { SubcommandContext } from "../run-subcommand.ts";

/** Decides which secrets the providers of a trusted folder get: by flags, otherwise by asking about undecided ones. */
export async function decideSecrets(visit: SubcommandContext, view: TrustView): Promise<void> {
  const { line } = visit;
  const granted = line.values("grant");
  const revoked = line.values("revoke");
  if (granted.length + revoked.length > 0) return byFlags(visit, view, { granted, revoked });
  for (const each of view.secrets ?? []) {
    const open = namesIn(each, "undecided");
    if (open.length === 0) continue;
    if (!isatty(0) || !isatty(2)) {
      const flags = open.map((name) => `--grant ${name}`).join(" ");
      visit.note(`To grant ${open.length === 1 ? "it" : "them"}: harness trust --provider ${each.provider} ${flags}`);
      continue;
    }
    const question = `Grant the provider ${visibleText(each.provider)} ${namesText(open)}? (y/N) `;
    const isYes = await confirm({ question, ...visit.stopping });
    await grant(visit, each, [...namesIn(each, "granted"), ...(isYes ? open : [])]);
  }
}

type Changes = { granted: readonly string[]; revoked: readonly string[] };

async function byFlags(visit: SubcommandContext, view: TrustView, { granted, revoked }: Changes): Promise<void> {
  const asking = askingIn(view, visit.line.value("provider"));
  const wanted = [...granted, ...revoked].map((name) => ({ name, provider: providerFor(name, asking) }));
  for (const each of asking) {
    const isMeant = (name: string) => wanted.some((want) => want.name === name && want.provider === each);
    if (!wanted.some(({ provider }) => provider === each)) continue;
    const kept = [...namesIn(each, "granted"), ...granted.filter(isMeant)];
    await grant(
      visit,
      each,
      kept.filter((name) => !revoked.includes(name)),
    );
  }
}

function askingIn({ secrets = [] }: TrustView, provider: string | undefined): readonly ProviderSecrets[] {
  const asking = secrets.filter((each) => provider === undefined || each.provider === provider);
  if (asking.length > 0) return asking;
  const whose = provider === undefined ? "No trusted provider" : `No trusted provider ${JSON.stringify(provider)}`;
  throw new CliError(
    "usage",
    `${whose} of this folder asks for secrets. See what the folder brings: harness trust --list`,
  );
}

function providerFor(name: string, asking: readonly ProviderSecrets[]): ProviderSecrets {
  const [first, ...more] = asking.filter(({ variables }) => variables.some((each) => each.name === name));
  if (!first) {
    const all = [...new Set(asking.flatMap(({ variables }) => variables.map((each) => each.name)))];
    throw new CliError(
      "usage",
      `No provider of this folder asks for ${JSON.stringify(name)}. They ask for ${namesText(all)}.`,
    );
  }
  if (more.length === 0) return first;
  const ids = [first, ...more].map(({ provider }) => provider);
  throw new CliError("usage", `${namesText(ids)} ask for ${name}: say which one with --provider.`);
}

function namesIn({ variables }: ProviderSecrets, state: "granted" | "undecided"): string[] {
  return variables.filter((each) => each.state === state).map(({ name }) => name);
}

async function grant({ client, cwd, say }: SubcommandContext, { provider, hash }: ProviderSecrets, names: string[]) {
  await client.call("trust/grant", { cwd, provider, hash, names });
  const what = names.length === 0 ? "none of the secrets that it asks for" : namesText(names);
  say(`The provider ${visibleText(provider)} gets ${what}. In open sessions, this takes effect with the next message.`);
}
