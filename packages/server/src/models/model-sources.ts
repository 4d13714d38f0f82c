import { join } from "node:path";
import type { Clock } from "@harness/core";
import type { Sources, Vendor } from "@harness/providers";
import type { CapabilityCards } from "@harness/storage";
import type { CredentialDesk } from "../credentials/credential-desk.ts";

type Env = Readonly<Record<string, string | undefined>>;

export type ModelSourcesParts = {
  /** The configuration folder. */
  root: string;
  home: string;
  /** The environment of a folder, with these variables before it. */
  envFor(cwd: string, more: Env): { env: Record<string, string | undefined>; problems: string[] };
  /** The server's own. */
  env: Env;
  credentials(): CredentialDesk;
  cards: CapabilityCards;
  clock: Clock;
};

/** Where vendors, models, keys and what is known of them come from: everything that a choice of a model looks at. */
export class ModelSources {
  private readonly parts: ModelSourcesParts;

  constructor(parts: ModelSourcesParts) {
    this.parts = parts;
  }

  /** Read anew each time: what has not changed on disk costs a look at it. */
  async of(cwd: string, keepAlive?: string): Promise<Sources & { keyProblems: string[]; envProblems: string[] }> {
    const { loadModelTable, loadVendors } = await import("@harness/providers");
    const { root, clock, cards } = this.parts;
    const credentials = this.parts.credentials();
    const { logins, programKeys, problems } = await credentials.admit();
    const { env, problems: envProblems } = this.parts.envFor(cwd, programKeys);
    const book = await loadVendors({ folders: this.folders(), env, clock });
    return {
      env,
      clock,
      book,
      table: loadModelTable(join(root, "models.json")),
      logins,
      keyProblems: problems,
      envProblems,
      cards: (provider, model, address) => cards.read(provider, model, address),
      ...(keepAlive ? { keepAlive } : {}),
    };
  }

  /** Changes when keys or logins are others than before, whoever changed them; costs a look at a file. */
  stamp(): string {
    return this.parts.credentials().stamp();
  }

  /** All vendors, those of the person's files among them. */
  async vendors(): Promise<readonly Vendor[]> {
    const { loadVendors } = await import("@harness/providers");
    const { env, clock } = this.parts;
    return (await loadVendors({ folders: this.folders(), env, clock })).all;
  }

  /** The person's own: a project's files run nothing and choose nobody before the folder is trusted. */
  private folders(): string[] {
    const { root, home } = this.parts;
    return [join(home, ".harness", "providers"), join(root, "providers")];
  }
}
