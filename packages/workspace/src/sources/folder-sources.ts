import { type Inventory, listEntries, type SourceInventory } from "@harness/extensions";

/** The user's extensions for a folder, as far as they are files. */
export class FolderSources {
  readonly #folder: string;
  readonly #inventory: SourceInventory;

  constructor(folder: string, inventory: SourceInventory) {
    this.#folder = folder;
    this.#inventory = inventory;
  }

  /** The same object as long as nothing has changed; costs one stat per file. Never throws. */
  get current(): Inventory {
    return this.#inventory.at(this.#folder);
  }

  /** The same for a session with a different provider than the settings choose; undefined: the same provider. */
  of(provider: string | undefined): Inventory {
    return this.#inventory.at(this.#folder, provider);
  }

  /** Every file found, with the reason if it does not count. */
  get entries(): ReturnType<typeof listEntries> {
    return listEntries(this.current);
  }

  /** The folders found, from the most general to the most local, whoever decides which of them count. */
  get found(): readonly string[] {
    return this.#inventory.found(this.#folder);
  }

  /** The provider chosen for the folder. */
  get provider(): string | undefined {
    return this.#inventory.providerOf(this.#folder);
  }

  /** Call after this process wrote a file or a decision: everything is checked again. */
  forgetMoment(): void {
    this.#inventory.forgetMoment();
  }
}
