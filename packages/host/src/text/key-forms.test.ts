import { describe, expect, it } from "vitest";
import { holdsKey, isRandom, replaceKeyForms } from "./key-forms.ts";

const RANDOM = "a1B2c3D4e5F6g7H8i9J0";

describe("the form of a key", () => {
  it.each([
    `sk-${RANDOM}`,
    `sk-proj-${RANDOM}`,
    `sk-ant-api03-${RANDOM}`,
    `rk_live_${RANDOM}`,
    `gsk_${RANDOM}`,
    `hf_${RANDOM}`,
    `npm_${RANDOM}`,
    `ghp_${RANDOM}`,
    `github_pat_${RANDOM}`,
    `glpat-${RANDOM}`,
    `xai-${RANDOM}`,
    `pypi-AgEIcHlwaS5vcmc${RANDOM}`,
    "dop_v1_0123456789abcdef0123",
    `xoxb-1234567890-${RANDOM}`,
    `AIzaSy${RANDOM}`,
    `ya29.${RANDOM}`,
    "AKIAIOSFODNN7EXAMPLE",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.c2ln",
  ])("is known: %s", (key) => {
    expect(replaceKeyForms(`before ${key}, after`, () => "…")).toBe("before …, after");
    expect(holdsKey(`before ${key}, after`)).toBe(true);
    expect(isRandom(key)).toBe(true);
  });

  it.each([
    "risk-averse people ask-before-acting",
    "npm_config_registry and npm_lifecycle_event",
    "the hf_transfer package, xai-sdk, pypi-server-configuration",
    "sk-learn-tutorial-for-beginners",
    "/home/me/pk-projects-of-this-year",
  ])("is not that of ordinary words: %s", (text) => {
    expect(holdsKey(text)).toBe(false);
  });

  it("is looked for in linear time", () => {
    for (const piece of ["sk-", "sk-a-", "eyJ-", "eyJa.", "npm_", "ya29."]) {
      expect(replaceKeyForms(piece.repeat(200_000 / piece.length), () => "")).toBeTypeOf("string");
    }
  });
});
