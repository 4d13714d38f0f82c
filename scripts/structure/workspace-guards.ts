import { declared } from "./signatures.ts";
import { parsed, type SourceFile } from "./source-files.ts";

const MAX_FIELDS = 7;
const RECORD = "packages/workspace/src/workspace.ts";
/** The code that handles every request; it gets all it needs from the folder's workspace. */
const SURFACES = /^packages\/server\/src\/(handlers|commands|sessions)\//;
const ADAPTERS = /^@harness\/(providers|tools|storage|search|extensions|mcp|lsp|gguf)(\/|$)/;

/**
 * The workspace stays a record: at most seven fields, grouped by noun, and no methods of its own: its parts have these.
 */
export function workspaceRecord(files: readonly SourceFile[]): string[] {
  const file = files.find(({ path }) => path === RECORD);
  const alias =
    file &&
    parsed(file)
      .body.map(declared)
      .find((node) => isNamed(node, "Workspace"));
  if (alias?.type !== "TSTypeAliasDeclaration" || alias.typeAnnotation.type !== "TSTypeLiteral")
    return [`${RECORD}: \`Workspace\` is to be a type of fields`];
  const { members } = alias.typeAnnotation;
  const methods = members.filter(
    (member) =>
      member.type !== "TSPropertySignature" || member.typeAnnotation?.typeAnnotation.type === "TSFunctionType",
  );
  return [
    ...(members.length > MAX_FIELDS ? [`${RECORD}: ${members.length} fields, the limit is ${MAX_FIELDS}`] : []),
    ...(methods.length > 0 ? [`${RECORD}: a workspace has no methods of its own, its parts do`] : []),
  ];
}

/** Handlers, slash commands and sessions know workspaces, but no adapters. */
export function adaptersInSurfaces(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path, isProduction }) => isProduction && SURFACES.test(path))
    .flatMap(({ path, imports }) =>
      imports
        .filter((specifier) => ADAPTERS.test(specifier))
        .map((specifier) => `${path}: imports ${specifier}; take it from the workspace`),
    );
}

function isNamed(node: ReturnType<typeof declared>, name: string): boolean {
  return node.type === "TSTypeAliasDeclaration" && node.id.name === name;
}
