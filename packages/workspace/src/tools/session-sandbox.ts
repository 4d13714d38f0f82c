import type { PermissionMode } from "@harness/protocol";
import { type Sandbox, Sandboxes } from "@harness/tools";
import type { FolderSettings } from "../settings/folder-settings.ts";
import type { RunFiles } from "./run-files.ts";

/** The settings of the session's folder, and the files that run there by themselves. */
type SandboxedFolder = { settings: Pick<FolderSettings, "values">; safety: { runFiles: Pick<RunFiles, "current"> } };

/**
 * Creates the sandbox of each session according to its folder's settings; a permission mode that relies on a sandbox
 * turns it on. A sandbox is started on first use.
 */
export class SessionSandboxes {
  readonly #sandboxes = new Sandboxes();
  readonly #machine: { configFolder: string; home: string; env: Readonly<Record<string, string | undefined>> };

  constructor(machine: { configFolder: string; home: string; env: Readonly<Record<string, string | undefined>> }) {
    this.#machine = machine;
  }

  create({ settings, safety }: SandboxedFolder, permissionMode: PermissionMode): Sandbox {
    const { values } = settings;
    const needed = permissionMode === "auto-in-sandbox" && values.sandbox === "off";
    return this.#sandboxes.create({
      ...this.#machine,
      path: this.#machine.env.PATH ?? "",
      wanted: needed ? "auto" : values.sandbox,
      runFiles: () => safety.runFiles.current,
      allowedDomains: values.sandbox_domains,
    });
  }
}
