import * as z from "zod";
import { SettingGroup, type SettingRow, TakesEffect } from "./setting-rows/setting-row.ts";
import { type SettingKey, settings } from "./settings.ts";

/** Where a value came from, strongest first. */
export const SettingSource = z.enum(["flag", "env", "project", "user", "default"]);
export type SettingSource = z.infer<typeof SettingSource>;

/** One setting as a front shows it. */
export const SettingView = z.object({
  key: z.string(),
  /** Its name for people. */
  title: z.string(),
  group: SettingGroup,
  doc: z.string(),
  type: z.enum(["text", "number", "boolean", "choice", "list"]),
  choices: z.array(z.string()).optional(),
  value: z.unknown(),
  default: z.unknown(),
  takesEffect: TakesEffect,
  source: SettingSource,
  /** Name of a stronger source that overrides the user's file, such as `HARNESS_MODEL`. */
  overriddenBy: z.string().optional(),
  /** Value of the user's file (or the default) if a project adds to it: a change starts from this. */
  own: z.unknown().optional(),
});
export type SettingView = z.infer<typeof SettingView>;

/**
 * Values to choose from, the strictest first if they have such an order; undefined for free text, a list, a number, or
 * a yes/no.
 */
export function settingChoices(key: SettingKey): string[] | undefined {
  const { schema, scale }: SettingRow = settings[key];
  return schema instanceof z.ZodEnum ? (scale ?? schema.options).map(String) : undefined;
}

export function settingType(key: SettingKey): SettingView["type"] {
  if (settingChoices(key)) return "choice";
  const row: SettingRow = settings[key];
  const schema = row.schema instanceof z.ZodNullable ? row.schema.unwrap() : row.schema;
  if (schema instanceof z.ZodBoolean) return "boolean";
  if (schema instanceof z.ZodArray) return "list";
  return schema instanceof z.ZodNumber ? "number" : "text";
}
