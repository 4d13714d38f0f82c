import { join } from "node:path";
import {
  type CallParams,
  invalidParam,
  type ProviderSecrets,
  type ServerMethods,
  type TrustView,
} from "@harness/protocol";
import type { FolderTrust } from "./folder-trust.ts";

/** The secrets that a project's provider asks for, by variable name. */
export type AskedSecrets = {
  provider: string;
  file: string;
  variables: readonly { name: string; isSet: boolean }[];
};

/** The secrets that project providers ask for, and the user's decisions about them. */
export class SecretDecisions {
  readonly #trust: FolderTrust;
  readonly #asked: () => Promise<AskedSecrets[]>;

  constructor(trust: FolderTrust, requests: () => Promise<AskedSecrets[]>) {
    this.#trust = trust;
    this.#asked = requests;
  }

  /** Adds the requests of trusted providers to the view. */
  async complete(view: TrustView): Promise<TrustView> {
    const requests = await this.#asked();
    const secrets = requests.flatMap((each) => this.#viewOf(view.root, each) ?? []);
    return secrets.length === 0 ? view : { ...view, secrets };
  }

  /** Throws if the provider does not ask for such a secret, or has changed. */
  async grant({ provider, hash, names }: Omit<CallParams<ServerMethods, "trust/grant">, "cwd">): Promise<void> {
    const asking = (await this.#asked()).find((each) => each.provider === provider);
    if (!asking)
      throw invalidParam(
        "provider",
        `No trusted provider ${JSON.stringify(provider)} of this folder asks for secrets.`,
      );
    const requestedNames = asking.variables.map(({ name }) => name);
    const other = names.find((name) => !requestedNames.includes(name));
    if (other !== undefined)
      throw invalidParam(
        "names",
        `${provider} does not ask for ${JSON.stringify(other)}. It asks for ${requestedNames.join(", ")}.`,
      );
    this.#trust.grant(asking.file, {
      sha256: hash,
      asked: requestedNames,
      granted: requestedNames.filter((name) => names.includes(name)),
    });
  }

  #viewOf(root: string, { provider, file, variables }: AskedSecrets): ProviderSecrets | undefined {
    const trusted = this.#trust.secretsOf(file);
    if (!trusted) return undefined;
    const { decided, sha256: hash } = trusted;
    const path = trusted.root === root ? trusted.path : join(trusted.root, trusted.path);
    const state = (name: string) => {
      if (decided?.granted.includes(name)) return "granted" as const;
      return decided?.asked.includes(name) ? ("withheld" as const) : ("undecided" as const);
    };
    return {
      provider,
      path,
      hash,
      variables: variables.map(({ name, isSet }) => ({ name, set: isSet, state: state(name) })),
    };
  }
}
