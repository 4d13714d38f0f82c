import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { envExample } from "@harness/providers";
import { commandLinePage } from "./command-line-page.ts";
import { withCommands } from "./commands-page.ts";
import { diagnosticsPage } from "./diagnostics-page.ts";
import { gateListsPage } from "./gate-lists-page.ts";
import { gatePage } from "./gate-page.ts";
import { keysPage } from "./keys-page.ts";
import { methodSchemas } from "./method-schemas.ts";
import { protocolPage } from "./protocol-page.ts";
import { providersPage } from "./providers-page.ts";
import { withRivals } from "./rivals-section.ts";
import { settingsPage } from "./settings-page.ts";
import { toolsPage } from "./tools-page.ts";
import { windowPage } from "./window-page.ts";

const docs = resolve(import.meta.dirname, "../../../docs");

/** Every generated file by its path from the repository's root. */
export function generatedFiles(): Map<string, string> {
  const files = methodSchemas();
  files.set("docs/protocol.md", protocolPage());
  files.set("docs/tools.md", toolsPage());
  files.set("docs/settings.md", settingsPage());
  files.set("docs/command-line.md", commandLinePage());
  files.set("docs/commands.md", withCommands(readFileSync(join(docs, "commands.md"), "utf8")));
  files.set("docs/window.md", windowPage());
  files.set("docs/keys.md", keysPage());
  files.set("docs/diagnostics.md", diagnosticsPage());
  files.set("docs/gate.md", gatePage());
  files.set("docs/gate-lists.md", gateListsPage());
  files.set("docs/providers.md", providersPage());
  files.set("docs/benchmarks.md", withRivals(readFileSync(join(docs, "benchmarks.md"), "utf8")));
  files.set(".env.example", envExample());
  return files;
}
