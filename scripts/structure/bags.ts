import type { TSMethodSignature, TSPropertySignature, TSType } from "oxc-parser";
import { allParameters, constructorParameters, declared, typeOf } from "./signatures.ts";
import { parsed, type SourceFile, ships } from "./source-files.ts";

const MAX_REQUIRED = 7;
/** Names of types that exist to pass something on, in place of a list of parameters. */
const BAG_NAMES = /(Deps|Ports|Options|Order|Context|Host)$/;

/** Names of types that are filled in completely at composition. */
const PART_NAMES = /(Deps|Context|Host)$/;

type Alias = { readonly name: string; readonly node: TSType; readonly file: SourceFile };
/** `required`: it must have a value; `nullable`: it must be named, and may be undefined. */
type Presence = "required" | "nullable" | "optional";
type Fields = ReadonlyMap<string, Presence>;

/**
 * A bag is a named type that a constructor takes, a literal at a parameter, or any type named as one. It has at most
 * seven fields that must have a value, including those of the types that it is composed of; more are grouped by noun.
 * Records of facts, wire schemas and states of the window are not bags: they are not there to be passed on field by
 * field.
 */
export function wideBags(files: readonly SourceFile[]): string[] {
  const shipped = files.filter(ships);
  const aliases = shipped.flatMap(aliasesOf);
  const known = Map.groupBy(aliases, ({ name }) => name);
  const fields = (node: TSType, file: SourceFile) => fieldsOf(node, file, known);
  const wide = ({ name, node, file }: Alias): string[] => {
    const required = [...(fields(node, file) ?? [])].filter(([, presence]) => presence === "required");
    const { length } = required;
    return length > MAX_REQUIRED ? [`${file.path}: ${name} has ${length} required fields, group them by noun`] : [];
  };
  const named = aliases.filter(({ name }) => BAG_NAMES.test(name));
  const literals = shipped.flatMap((file) =>
    allParameters(parsed(file))
      .map(typeOf)
      .flatMap((node) => (node && isLiteral(node) ? [{ name: "a parameter", node, file }] : [])),
  );
  const taken = shipped.flatMap((file) => {
    const names = constructorParameters(parsed(file)).map(typeOf).map(nameOf);
    return aliases.filter((alias) => alias.file === file && names.includes(alias.name));
  });
  return [...new Set([...named, ...literals, ...taken].flatMap(wide))];
}

/**
 * A type that is filled in at composition has no optional fields: a part that may be missing is `| undefined`, so that
 * nobody forgets it. Options and orders are wishes, and an absent port is an absent ability: these may be omitted.
 */
export function optionalParts(files: readonly SourceFile[]): string[] {
  return files
    .filter(ships)
    .flatMap(aliasesOf)
    .filter(({ name }) => PART_NAMES.test(name))
    .flatMap(({ name, node, file }) =>
      (node.type === "TSIntersectionType" ? node.types : [node])
        .flatMap((each) => [...(each.type === "TSTypeLiteral" ? (fieldsOf(each, file, new Map()) ?? []) : [])])
        .filter(([, presence]) => presence === "optional")
        .map(([field]) => `${file.path}: ${field} of ${name} can be forgotten, make it \`| undefined\``),
    );
}

function aliasesOf(file: SourceFile): Alias[] {
  return parsed(file)
    .body.map(declared)
    .flatMap((node) =>
      node.type === "TSTypeAliasDeclaration" ? [{ name: node.id.name, node: node.typeAnnotation, file }] : [],
    );
}

function isLiteral({ type }: TSType): boolean {
  return type === "TSTypeLiteral" || type === "TSIntersectionType";
}

function nameOf(node: TSType | undefined): string {
  return node?.type === "TSTypeReference" && node.typeName.type === "Identifier" ? node.typeName.name : "";
}

/** As far as the source shows them; undefined if it does not. */
function fieldsOf(node: TSType, file: SourceFile, known: ReadonlyMap<string, Alias[]>): Fields | undefined {
  const of = (each: TSType) => fieldsOf(each, file, known);
  switch (node.type) {
    case "TSTypeLiteral":
      return new Map(
        node.members.flatMap((member) =>
          (member.type === "TSPropertySignature" || member.type === "TSMethodSignature") &&
          member.key.type === "Identifier"
            ? [[member.key.name, presenceOf(member)] as const]
            : [],
        ),
      );
    case "TSIntersectionType": {
      const all = node.types.map(of).flatMap((fields) => [...(fields ?? [])]);
      const isRequired = (field: (typeof all)[number]) => field[1] === "required";
      return new Map([...all.filter((field) => !isRequired(field)), ...all.filter(isRequired)]);
    }
    case "TSTypeReference": {
      const [of0, names] = node.typeArguments?.params ?? [];
      const name = nameOf(node);
      if (of0 && name === "Readonly") return of(of0);
      if (of0 && name === "Partial") return new Map([...(of(of0) ?? [])].map(([field]) => [field, "optional"]));
      if (of0 && names && (name === "Pick" || name === "Omit")) return chosen(name, of(of0), literals(names));
      const found = known.get(name);
      const alias = found?.find((each) => each.file === file) ?? (found?.length === 1 ? found[0] : undefined);
      return alias && alias.node !== node ? fieldsOf(alias.node, alias.file, known) : undefined;
    }
    default:
      return undefined;
  }
}

function presenceOf(member: TSPropertySignature | TSMethodSignature): Presence {
  if (member.optional) return "optional";
  const type = member.type === "TSPropertySignature" ? member.typeAnnotation?.typeAnnotation : undefined;
  const mayBeUndefined = type?.type === "TSUnionType" && type.types.some((each) => each.type === "TSUndefinedKeyword");
  return mayBeUndefined ? "nullable" : "required";
}

function chosen(how: "Pick" | "Omit", fields: Fields | undefined, names: readonly string[]): Fields {
  if (!fields) return new Map(how === "Pick" ? names.map((name) => [name, "required"]) : []);
  return new Map([...fields].filter(([field]) => names.includes(field) === (how === "Pick")));
}

function literals(node: TSType): string[] {
  if (node.type === "TSUnionType") return node.types.flatMap(literals);
  return node.type === "TSLiteralType" && node.literal.type === "Literal" ? [String(node.literal.value)] : [];
}
