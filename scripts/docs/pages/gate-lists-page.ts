import {
  knownGitSubcommands,
  programsWith,
  protectedRows,
  secretFileNames,
  secretPlaceNames,
  systemPlaces,
} from "@harness/gate";
import { generated, table } from "./markdown-table.ts";

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(" ");

/** The names that the gate knows. */
export function gateListsPage(): string {
  return `# Lists of the gate

${generated}What the [gate](gate.md) knows by name.

## Commands that only read

Each is limited to the flags and operands that only read ([gate](gate.md#commands-that-only-read)).

- Programs: ${codes(programsWith("reads").filter((name) => name !== "git"))}
- git: ${codes(knownGitSubcommands)}
- Asked for their version: ${codes(programsWith("version"))}

## Protected places

Names are compared without case and as file systems fold them (\`.GIT\`, \`.git.\`, \`GIT~1\`), anywhere in a path, except those that begin with a slash.

${table(
  ["who would run or follow it", "places"],
  protectedRows.map(({ by, places }) => [by, codes(places)]),
)}

Also ${codes(systemPlaces)} at the top of the file system.

## Secret places

Folders and files in them: ${codes(secretPlaceNames())}

By name: ${codes(secretFileNames())} (not \`.env.example\`, \`.sample\`, \`.template\`)
`;
}
