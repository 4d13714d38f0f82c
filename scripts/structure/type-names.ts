import { Visitor } from "oxc-parser";
import { type Glossary, wordsOf } from "./glossary.ts";
import { parsed, type SourceFile } from "./source-files.ts";

type ExportedType = { readonly name: string; readonly path: string };

/** Exported types and classes, once for each file; a schema and its type are one name. */
function exportedTypes(files: readonly SourceFile[]): ExportedType[] {
  return files
    .filter(({ isProduction }) => isProduction)
    .flatMap(({ path, exports }) =>
      [...new Set(exports.filter(({ kind }) => kind === "type" || kind === "class").map(({ name }) => name))]
        .filter((name) => name !== "")
        .map((name) => ({ name, path })),
    );
}

/** A type is named by a noun, and by more than the role it has at one place. */
export function vagueTypes(files: readonly SourceFile[], { participles, endings }: Glossary): string[] {
  return exportedTypes(files).flatMap(({ name, path }) => {
    const words = wordsOf(name);
    const last = words.at(-1) ?? "";
    if (words.length === 1 && participles.has(last)) return [`${path}: ${name} is a participle, name the thing`];
    return endings.has(last) ? [`${path}: ${name} ends in a word that says too little (docs/glossary.md)`] : [];
  });
}

/** Classes that are thrown are called errors. */
export function misnamedErrors(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ isProduction }) => isProduction)
    .filter(({ text }) => text.includes("extends"))
    .flatMap((file) => {
      const found: string[] = [];
      new Visitor({
        ClassDeclaration({ id, superClass }) {
          const isError = superClass?.type === "Identifier" && superClass.name.endsWith("Error");
          if (isError && id && !id.name.endsWith("Error")) found.push(`${file.path}: the class ${id.name} is an error`);
        },
      }).visit(parsed(file));
      return found;
    });
}
