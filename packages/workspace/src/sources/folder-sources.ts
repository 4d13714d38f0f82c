import { type Inventory, listEntries, type SourceInventory } from "@harness/extensions";

/** The person's extensions for a folder, as far as they are files. */
export class FolderSources {
  readonly #folder: string;
  readonly #inventory: SourceInventory;

  constructor(folder: string, inventory: SourceInventory) {
    this.#folder = folder;
    this.#inventory = inventory;
  }

  /** The same object for as long as nothing has changed, at the cost of a stat for each file. Never throws. */
  get current(): Inventory {
    return this.#inventory.at(this.#folder);
  }

  /** The same for a session whose provider is not the one that the settings choose; undefined: it is. */
  of(provider: string | undefined): Inventory {
    return this.#inventory.at(this.#folder, provider);
  }

  /** Every file that was found, with the reason where it does not count. */
  get entries(): ReturnType<typeof listEntries> {
    return listEntries(this.current);
  }

  /** The folders that are found, from the most general to the most local, whoever says which of them count. */
  get found(): readonly string[] {
    return this.#inventory.found(this.#folder);
  }

  /** The provider that is chosen for the folder. */
  get provider(): string | undefined {
    return this.#inventory.providerOf(this.#folder);
  }

  /** After a file or a decision was written by this process: everything is looked at again. */
  forgetMoment(): void {
    this.#inventory.forgetMoment();
  }
}
