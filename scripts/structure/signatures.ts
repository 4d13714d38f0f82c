import type { ExportNamedDeclaration, ParamPattern, Program, Statement, TSType } from "oxc-parser";
import { Visitor } from "oxc-parser";

/** The parameters of a function, a method or a constructor; `name` is `Class.method` for a method. */
export type Signature = { readonly name: string; readonly parameters: readonly ParamPattern[] };

/** The declaration itself, or the one that a statement exports. */
export function declared(node: Statement): Statement {
  return node.type === "ExportNamedDeclaration" && node.declaration ? node.declaration : node;
}

/** The written type of a parameter; undefined if there is none. */
export function typeOf(parameter: ParamPattern): TSType | undefined {
  if (parameter.type === "TSParameterProperty") return typeOf(parameter.parameter);
  const target = parameter.type === "AssignmentPattern" ? parameter.left : parameter;
  return target.typeAnnotation?.typeAnnotation;
}

/** Functions, and public methods of classes, that other files can import. */
export function exportedSignatures({ body }: Program): Signature[] {
  return body.flatMap((node) =>
    node.type === "ExportNamedDeclaration" && node.declaration ? ofDeclaration(node) : [],
  );
}

function ofDeclaration(node: ExportNamedDeclaration): Signature[] {
  const { declaration } = node;
  if (declaration?.type === "FunctionDeclaration") {
    return [{ name: declaration.id?.name ?? "", parameters: declaration.params }];
  }
  if (declaration?.type === "VariableDeclaration") {
    return declaration.declarations.flatMap(({ id, init }) =>
      id.type === "Identifier" && init?.type === "ArrowFunctionExpression"
        ? [{ name: id.name, parameters: init.params }]
        : [],
    );
  }
  if (declaration?.type !== "ClassDeclaration") return [];
  const owner = declaration.id?.name ?? "";
  return declaration.body.body.flatMap((member) =>
    member.type === "MethodDefinition" && member.key.type === "Identifier"
      ? [{ name: `${owner}.${member.key.name}`, parameters: member.value.params }]
      : [],
  );
}

/** The parameters of every function of a file, in whatever form it is written. */
export function allParameters(program: Program): ParamPattern[] {
  const found: ParamPattern[] = [];
  const take = ({ params }: { params: ParamPattern[] }): void => {
    found.push(...params);
  };
  new Visitor({ FunctionDeclaration: take, FunctionExpression: take, ArrowFunctionExpression: take }).visit(program);
  return found;
}

/** The parameters of a file's constructors. */
export function constructorParameters({ body }: Program): ParamPattern[] {
  return body
    .map(declared)
    .flatMap((node) =>
      node.type !== "ClassDeclaration"
        ? []
        : node.body.body.flatMap((member) =>
            member.type === "MethodDefinition" && member.kind === "constructor" ? member.value.params : [],
          ),
    );
}
