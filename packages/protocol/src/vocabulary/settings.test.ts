import { describe, expect, it } from "vitest";
import { settingChoices, settingType } from "./setting-view.ts";
import { projectReach, type SettingKey, settings } from "./settings.ts";

const keys = Object.keys(settings) as SettingKey[];

describe("a setting", () => {
  it.each(keys)("%s takes its own default", (key) => {
    expect(settings[key].schema.parse(settings[key].default)).toEqual(settings[key].default);
  });

  it("has a type that follows from its schema, nullable or not", () => {
    const types = Object.groupBy(keys, settingType);
    expect(types.choice).toEqual(expect.arrayContaining(["permission_mode", "sandbox", "effort"]));
    expect(types.boolean).toContain("strict");
    expect(types.list).toEqual(expect.arrayContaining(["safe_command_prefixes", "denied_command_prefixes"]));
    expect(types.number).toEqual(expect.arrayContaining(["context_limit", "max_output_tokens", "max_turns"]));
    expect(types.text).toEqual(expect.arrayContaining(["model", "keep_alive"]));
  });

  it.each(keys)("%s has a title in words that fits a column, and no other setting has it", (key) => {
    expect(settings[key].title).toMatch(/^[A-Z][A-Za-z' -]{2,33}$/);
    expect(keys.filter((each) => settings[each].title === settings[key].title)).toEqual([key]);
  });

  const scales = keys.flatMap((key) => {
    const { scale = [] } = projectReach(key) ?? {};
    return scale.length === 0 ? [] : [{ key, scale }];
  });
  it.each(scales)("$key has each of its values on its scale once", ({ key, scale }) => {
    const values: readonly unknown[] = settingChoices(key) ?? [true, false];
    expect([...scale].sort()).toEqual([...values].sort());
  });

  it.each(keys)("%s has a scale where a project may only make it stricter, and nowhere else", (key) => {
    const { reach, scale = [] } = projectReach(key) ?? {};
    expect(scale.length > 0).toBe(reach === "stricter" || reach === "stricterUntrusted");
  });
});
