import type { ParamPattern } from "oxc-parser";
import { exportedSignatures, typeOf } from "./signatures.ts";
import { parsed, type SourceFile, ships } from "./source-files.ts";

/**
 * A bare `true` next to other arguments of a call is unclear: functions and public methods that other files can call
 * take booleans by name, in an object.
 */
export function positionalBooleans(files: readonly SourceFile[]): string[] {
  return files.filter(ships).flatMap((file) =>
    exportedSignatures(parsed(file))
      .filter(({ parameters }) => parameters.length > 1 && parameters.some(isBoolean))
      .map(({ name }) => `${file.path}: ${name} takes a boolean by its position, name it: { isX }: { isX: boolean }`),
  );
}

function isBoolean(parameter: ParamPattern): boolean {
  const type = typeOf(parameter);
  if (type?.type === "TSBooleanKeyword") return true;
  if (type?.type === "TSUnionType") return type.types.some((each) => each.type === "TSBooleanKeyword");
  return (
    parameter.type === "AssignmentPattern" &&
    parameter.right.type === "Literal" &&
    typeof parameter.right.value === "boolean"
  );
}
