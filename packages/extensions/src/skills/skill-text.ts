import { dirname } from "node:path";
import { cutMiddle } from "@harness/core";
import { skillFiles } from "./skill-files.ts";

const MAX_CHARS = 10_000;

/** A skill as sent to a model: its location, its files, and its instructions. */
export function skillText({ name, path, body }: { name: string; path: string; body: string }): string {
  const folder = dirname(path);
  const { files, more } = skillFiles(folder);
  const others = more > 0 ? ` and ${more} more` : "";
  const listed = files.length === 0 ? [] : [`Files of the skill: ${files.join(", ")}${others}`];
  const text = cutMiddle(body, MAX_CHARS, (left) => `[… ${left} characters left out: read ${path} for all of it]`);
  return [`Skill ${name}. Its folder, in which relative paths start: ${folder}`, ...listed, "", text].join("\n");
}
