import { basename, dirname } from "node:path";
import type { DefinitionForm, Origin } from "../sources/definitions.ts";
import { readSkill, type SkillReading } from "./read-skill.ts";

export type ReadSkill = Extract<SkillReading, { skill: unknown }>;
/** A skill with its SKILL.md. */
export type FoundSkill = ReadSkill & Origin;

/** The user's skills, written or installed. */
export const skillForm: DefinitionForm<ReadSkill> = {
  kind: "skill",
  accepts: () => true,
  read: (text, { path }) => readSkill(text, basename(dirname(path))),
  nameOf: ({ skill }) => skill.name,
};
