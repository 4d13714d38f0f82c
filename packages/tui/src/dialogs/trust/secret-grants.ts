import type { ProviderSecrets, TrustView } from "@harness/protocol";
import type { WindowHost } from "../../client/window-host.ts";
import { secretsInQuestion, type TrustDialog, undecidedProviders } from "../../state/trust-dialog.ts";

/** The user's answers about secrets of providers, as sent to the server. */
export class SecretGrants {
  readonly #host: WindowHost;
  /** The answers given in this window, by provider. */
  readonly #given = new Map<string, { hash: string; names: readonly string[] }>();

  constructor(host: WindowHost) {
    this.#host = host;
  }

  /** Answers for the first of the providers; returns those that are still to be asked about. */
  async decide({ view, providers }: TrustDialog, answer: "grant" | "withhold") {
    const [provider, ...rest] = providers;
    if (!provider) return { view, providers: rest };
    const { variables, kept } = secretsInQuestion(provider);
    const names = answer === "grant" ? [...kept, ...variables.map(({ name }) => name)] : kept;
    const now = await this.#send(provider, names);
    const gets = names.length === 0 ? "gets none of the secrets that it asks for" : `gets ${names.join(", ")}`;
    this.#host.store.note("info", `The provider ${provider.provider} ${gets}. /trust shows it, and asks again.`);
    return { view: now, providers: rest };
  }

  /** Repeats answers that last as long as a server to the next one; returns the providers that were not asked about. */
  async decideAgain(view: TrustView, { isForRun }: { isForRun: boolean }): Promise<readonly ProviderSecrets[]> {
    const open: ProviderSecrets[] = [];
    for (const provider of undecidedProviders(view)) {
      const before = this.#given.get(provider.provider);
      if (isForRun && before?.hash === provider.hash) await this.#send(provider, before.names);
      else open.push(provider);
    }
    return open;
  }

  /** The folder was trusted again, or is no longer trusted. */
  forget(): void {
    this.#given.clear();
  }

  async #send({ provider, hash }: ProviderSecrets, names: readonly string[]): Promise<TrustView> {
    const { server, request } = this.#host;
    const view = await server.call("trust/grant", { cwd: request.cwd, provider, hash, names: [...names] });
    this.#given.set(provider, { hash, names });
    return view;
  }
}
