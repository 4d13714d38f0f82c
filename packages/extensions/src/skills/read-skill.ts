import { firstParagraph } from "../text/first-paragraph.ts";
import { readFrontmatter } from "../text/frontmatter.ts";
import { collapseLines, type Fields, names, readFlag, word } from "../text/frontmatter-values.ts";

/** A skill as read from its SKILL.md. */
type Skill = {
  name: string;
  /** Its purpose, and when to use it. */
  description: string;
  argumentHint?: string;
  /** Its requirements, such as programs. */
  compatibility?: string;
  license?: string;
  metadata?: Readonly<Record<string, string>>;
  /** Calls that may run unasked while the user uses it, as rules. */
  allowedTools?: readonly string[];
  /** Models see it in the list, and may load it by themselves. */
  forModel: boolean;
  /** The user may invoke it by its name. */
  forPerson: boolean;
  body: string;
};

/** `problem`: why there is none, as the end of a sentence. */
export type SkillReading = { skill: Skill } | { problem: string };

const MAX_NAME = 64;
const MAX_DESCRIPTION = 1_024;
const MAX_LINE = 500;
const FATAL = ["name", "description", "disable-model-invocation", "user-invocable"];

/** Reads a skill from the text of its SKILL.md. `folderName`: its default name. */
export function readSkill(text: string, folderName: string): SkillReading {
  const front = readFrontmatter(text);
  if ("problem" in front) return front;
  const { fields, unread } = front;
  const [, unreadable] = [...unread].find(([key]) => FATAL.includes(key)) ?? [];
  if (unreadable !== undefined) return { problem: unreadable };
  const name = word(fields.get("name")) || folderName;
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._:-]*$/u.test(name) || name.length > MAX_NAME)
    return { problem: `the name ${JSON.stringify(name.slice(0, 80))} is not valid: use letters, digits and -` };
  const body = front.body.trim();
  if (body === "") return { problem: "it has no instructions: write them below the second ---" };
  const description = descriptionOf(fields) || firstParagraph(body);
  const noModel = readFlag(fields, "disable-model-invocation");
  const forPerson = readFlag(fields, "user-invocable");
  const allowed = names(fields, "allowed-tools", "allowed_tools");
  const problem = noModel.problem ?? forPerson.problem ?? allowed.problem;
  if (problem !== undefined) return { problem };
  return {
    skill: {
      name,
      description: description.slice(0, MAX_DESCRIPTION).toWellFormed(),
      ...lineField(fields, "argument-hint", "argumentHint"),
      ...lineField(fields, "compatibility", "compatibility"),
      ...lineField(fields, "license", "license"),
      ...metadataOf(fields),
      ...(allowed.value && { allowedTools: allowed.value }),
      forModel: noModel.value !== true,
      forPerson: forPerson.value !== false,
      body,
    },
  };
}

function descriptionOf(fields: Fields): string {
  return [collapseLines(fields.get("description")), collapseLines(fields.get("when_to_use"))]
    .filter((each) => each !== "")
    .join(" ");
}

function lineField<K extends string>(fields: Fields, key: string, field: K): { [P in K]?: string } {
  const value = fields.get(key);
  // `[name]` is a hint that looks like a list.
  const text = Array.isArray(value) ? `[${value.join(", ")}]` : collapseLines(value);
  return (text === "" ? {} : { [field]: text.slice(0, MAX_LINE) }) as { [P in K]?: string };
}

function metadataOf(fields: Fields): Pick<Skill, "metadata"> {
  const value = fields.get("metadata");
  return value instanceof Map ? { metadata: Object.fromEntries(value) } : {};
}
