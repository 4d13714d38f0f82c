import { PlaceholderFolders } from "./placeholder-folders.ts";
import { removeStaleFolders } from "./private-folder.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "./sandbox.ts";
import { rootFinds } from "./sandbox-policy.ts";
import { SharedFinds } from "./shared-finds.ts";

/** Creates the sandboxes of all sessions, which close them, and holds the state that their commands share. */
export class Sandboxes {
  readonly #placeholders = new PlaceholderFolders();
  readonly #finds = new SharedFinds((root, walk) => rootFinds(root, walk, (path) => this.#placeholders.has(path)));
  #staleRemoved: Promise<void> | undefined;

  create(options: SandboxOptions): Sandbox {
    return createSandbox(options, {
      placeholders: this.#placeholders,
      finds: this.#finds,
      staleRemoved: () => {
        this.#staleRemoved ??= removeStaleFolders();
        return this.#staleRemoved;
      },
    });
  }
}
