import { expect, it } from "vitest";
import { FolderChecks } from "./folder-checks.ts";

type Deps = ConstructorParameters<typeof FolderChecks>[1];

it.each([
  ["untrusted", "off", [], false],
  ["trusted", "off", [], true],
  ["session", "off", [], true],
  ["trusted", "auto", [], false],
  ["trusted", "on", [], false],
  ["untrusted", "on", ["/work"], true],
  ["trusted", "on", ["/work/other"], false],
])(
  "a folder that is %s, with the sandbox %s and %j allowed, may start its own servers: %s",
  (state, sandbox, folders, may) => {
    const deps = {
      env: {},
      settings: { values: { sandbox, language_server_folders: folders } },
      trust: { state: () => state },
      sources: {},
    };
    expect(new FolderChecks("/work/project", deps as unknown as Deps).isTrusted).toBe(may);
  },
);
