import type { PermissionMode } from "@harness/protocol";
import type { Sandbox, Sandboxes, SandboxOptions } from "@harness/tools";
import type { SettingsStore } from "../settings/settings-store.ts";

type SandboxParts = Pick<SandboxOptions, "configFolder" | "home" | "path"> & {
  settings: SettingsStore;
  sandboxes: Sandboxes;
};

/**
 * The sandbox of each session, as the settings of its folder say; the permission mode that relies on a sandbox turns it
 * on.
 */
export function sandboxFor({ settings, sandboxes, ...places }: SandboxParts) {
  return (folder: string, permissionMode: PermissionMode): Sandbox => {
    const { values } = settings.load(folder);
    const needed = permissionMode === "auto-in-sandbox" && values.sandbox === "off";
    return sandboxes.create({
      ...places,
      wanted: needed ? "auto" : values.sandbox,
      allowedDomains: values.sandbox_domains,
    });
  };
}
