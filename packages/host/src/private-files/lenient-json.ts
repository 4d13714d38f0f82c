import stripJsonComments from "strip-json-comments";
import { type JsonText, parseJson } from "./json-text.ts";

/** Parses JSON that may have comments and trailing commas, as editors write their files. */
export function readLenientJson(text: string): JsonText {
  const strict = parseJson(text);
  return "value" in strict ? strict : parseJson(stripJsonComments(text, { trailingCommas: true }));
}
