import { Visitor } from "oxc-parser";
import { type Glossary, wordsOf } from "./glossary.ts";
import { parsed, type SourceFile } from "./source-files.ts";

type TypeName = { readonly name: string; readonly path: string };

/** The types and classes that a file declares, exported or not. */
function declaredTypes(file: SourceFile): TypeName[] {
  const types: TypeName[] = [];
  const take = ({ id }: { id: { name: string } | null }): void => {
    if (id) types.push({ name: id.name, path: file.path });
  };
  new Visitor({ TSTypeAliasDeclaration: take, TSInterfaceDeclaration: take, ClassDeclaration: take }).visit(
    parsed(file),
  );
  return types;
}

/** A type is named by a noun that says more than its role at one place, even if no other file sees it. */
export function vagueTypes(files: readonly SourceFile[], { participles, endings }: Glossary): string[] {
  // Whole files are parsed only if they may contain such a name.
  const words = [...participles, ...endings].map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join("|");
  const suspicious = new RegExp(`\\b(?:type|interface|class) (?:\\w*(?:${words}))\\b`);
  return files
    .filter(({ text }) => suspicious.test(text))
    .flatMap(declaredTypes)
    .flatMap(({ name, path }) => {
      const parts = wordsOf(name);
      const last = parts.at(-1) ?? "";
      if (parts.length === 1 && participles.has(last)) return [`${path}: ${name} is a participle, name the thing`];
      return endings.has(last) ? [`${path}: ${name} ends in a word that says too little (docs/glossary.md)`] : [];
    });
}

/** Classes that are thrown are named errors. */
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
