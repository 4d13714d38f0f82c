import type { PermissionMode } from "@harness/protocol";
import { type Sandbox, Sandboxes } from "@harness/tools";
import type { Bootstrap } from "../bootstrap.ts";
import type { RunFiles } from "./run-files.ts";

/**
 * The sandbox of each session, as the settings of its folder say; the permission mode that relies on a sandbox turns it
 * on.
 */
export function sandboxFor({ machine, configPaths, settings }: Bootstrap, runFiles: Pick<RunFiles, "at">) {
  const { home, env } = machine;
  const sandboxes = new Sandboxes();
  return (folder: string, permissionMode: PermissionMode): Sandbox => {
    const { values } = settings.live(folder);
    const needed = permissionMode === "auto-in-sandbox" && values.sandbox === "off";
    return sandboxes.create({
      configFolder: configPaths.root,
      home,
      path: env.PATH ?? "",
      env,
      wanted: needed ? "auto" : values.sandbox,
      runFiles: () => runFiles.at(folder),
      allowedDomains: values.sandbox_domains,
    });
  };
}
