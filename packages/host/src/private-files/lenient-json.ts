import stripJsonComments from "strip-json-comments";
import { type JsonText, readJson } from "./json-text.ts";

/** Parses JSON that may have comments and commas after the last item, as editors write their files. */
export function readLenientJson(text: string): JsonText {
  const strict = readJson(text);
  return "value" in strict ? strict : readJson(stripJsonComments(text, { trailingCommas: true }));
}
