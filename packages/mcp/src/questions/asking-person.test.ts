// Questions of servers to people: forms, field by field, and addresses.
import type { PersonAnswer, PersonQuestion } from "@harness/core";
import { describe, expect, it } from "vitest";
import type { McpQuestion } from "../ports/people.ts";
import { askingPerson } from "./asking-person.ts";

const never = new AbortController().signal;

/** Asks with a user who gives these answers, one after another. */
async function asked(question: Partial<McpQuestion> & { schema?: object }, answers: PersonAnswer[]) {
  const seen: PersonQuestion[] = [];
  const { ask, notes } = askingPerson(async (each) => {
    seen.push(each);
    return answers[seen.length - 1] ?? { unanswered: "declined" };
  });
  const whole = { server: "s\u001b", kind: "form", message: "Who?", schema: {}, ...question } as McpQuestion;
  return { answer: await ask(whole, never), seen, notes };
}

const form = (properties: object, required: string[] = []) => ({ schema: { type: "object", properties, required } });

describe("a form of an MCP server", () => {
  it("is asked field by field, with the server's name", async () => {
    const fields = {
      name: { type: "string", title: "Name" },
      age: { type: "integer", minimum: 0 },
      ok: { type: "boolean" },
    };
    const { answer, seen } = await asked(form(fields, ["name", "age", "ok"]), [
      { text: "Ada" },
      { text: " 36 " },
      { optionId: "1" },
    ]);
    expect(answer).toEqual({ action: "accept", content: { name: "Ada", age: 36, ok: true } });
    expect(seen.map(({ message }) => message)).toEqual([
      "The MCP server s asks: Who?\n(1 of 3) Name",
      "The MCP server s asks: Who?\n(2 of 3) age",
      "The MCP server s asks: Who?\n(3 of 3) ok",
    ]);
    expect(seen[2]).toMatchObject({ options: [{ name: "Yes" }, { name: "No" }], freeText: false });
  });

  it("has its choices, its suggestions, and what may be left empty as options", async () => {
    const fields = {
      colour: { type: "string", enum: ["r", "g"], enumNames: ["Red", "Green"], default: "g" },
      size: { type: "string", oneOf: [{ const: "l", title: "Large" }] },
      more: {
        type: "array",
        items: {
          anyOf: [
            { const: "a", title: "One" },
            { const: "b", title: "Two" },
          ],
        },
      },
    };
    const { answer, seen } = await asked(form(fields), [
      { optionId: "default" },
      { optionId: "skip" },
      { text: "One, b" },
    ]);
    expect(answer).toEqual({ action: "accept", content: { colour: "g", more: ["a", "b"] } });
    expect(seen.map(({ options }) => options.map(({ name }) => name))).toEqual([
      ["Red", "Green", "As suggested: Green"],
      ["Large", "Leave it empty"],
      ["Leave it empty"],
    ]);
  });

  it.each([
    [{ type: "number", maximum: 3 }, "x", "a number to 3"],
    [{ type: "integer" }, "1.5", "a whole number"],
    [{ type: "string", format: "email" }, "me", "an email address"],
    [{ type: "string", format: "date" }, "2026-13-99", "a date"],
    [{ type: "string", minLength: 3 }, "me", "at least 3 characters"],
    [{ type: "array", items: { enum: ["a"] } }, "b", "some of a"],
  ])("is asked again where an answer is not valid: %j", async (field, text, words) => {
    const { answer, seen } = await asked(form({ x: field }), [{ text }]);
    expect(seen[1]?.message).toContain(`That is not valid. Expected: ${words}`);
    expect(answer).toEqual({ action: "decline" });
  });

  it.each([
    "password",
    "apiKey",
    "api_key",
    "Access token",
    "secret",
    "pass\u200bword",
    "p\u00adass\u2060word",
    "ＡＰＩ ｋｅｙ",
    "pаsswоrd",
    "Passwort",
    "contraseña",
    "mot de passe",
    "пароль",
    "密码",
    "パスワード",
  ])("is not shown when it asks for a secret: %s", async (name) => {
    const { answer, seen, notes } = await asked(form({ [name]: { type: "string" } }), []);
    expect([answer, seen]).toEqual([{ action: "decline" }, []]);
    expect(notes[0]).toContain("it asks for a secret");
  });

  it("is not shown when the words about a field ask for a secret, and is where they only warn of it", async () => {
    const describing = (description: string) => form({ x: { type: "string", description } });
    expect((await asked(describing("Paste your GitHub token here"), [{ text: "a" }])).seen).toEqual([]);
    expect(
      (await asked(describing("Do not give us a pin, or other sensitive info"), [{ text: "a" }])).seen,
    ).toHaveLength(1);
  });

  it("without fields asks for a yes", async () => {
    expect((await asked({}, [{ optionId: "yes" }])).answer).toEqual({ action: "accept" });
    expect((await asked({}, [{ optionId: "no" }])).answer).toEqual({ action: "decline" });
  });

  it("is declined where nobody can be asked, and the result of the call says so", async () => {
    const { ask, notes } = askingPerson(undefined);
    expect(await ask({ server: "s", kind: "form", message: "Who?", schema: {} }, never)).toEqual({ action: "decline" });
    expect(notes).toEqual(["(The server asked: Who?. Nobody can be asked here, so it was declined.)"]);
    expect((await asked({}, [{ unanswered: "expired" }])).notes[0]).toContain("Nobody answered in time");
    expect((await asked({}, [{ unanswered: "withdrawn" }])).answer).toEqual({ action: "cancel" });
  });
});

it("a form is not shown when its message asks for a secret that can be typed", async () => {
  const asking = (x: object) => ({ ...form({ x }), message: "Your GitHub pass\u200bword please" });
  expect((await asked(asking({ type: "string" }), [{ text: "a" }])).seen).toEqual([]);
  expect((await asked(asking({ type: "boolean" }), [{ optionId: "yes" }])).seen).toHaveLength(1);
});

it("an address has its look-alikes of slashes and what turns text around in digits", async () => {
  const url = "https://evil.example/a\u2044b\u2215c\u29f8d\uff0fe\u202ef?g\u2044#h\u202e";
  const [shown] = (await asked({ kind: "url", url }, [{ optionId: "yes" }])).seen;
  expect(shown?.message).toMatch(
    /\nhttps:\/\/evil\.example\/a%E2%81%84b%E2%88%95c%E2%A7%B8d%EF%BC%8Fe%E2%80%AEf\?g%E2%81%84#h%E2%80%AE$/,
  );
  const [odd] = (await asked({ kind: "url", url: "not an\u202eaddress" }, [{ optionId: "yes" }])).seen;
  expect(odd?.message).toContain(String.raw`not\u{20}an\u{202e}address`);
});

it("an address is shown whole with its host, and opened by nobody but the person", async () => {
  const { answer, seen } = await asked({ kind: "url", url: "https://evil.example/x?y" }, [{ optionId: "yes" }]);
  expect(seen[0]?.message).toBe(
    "The MCP server s asks: Who?\nOpen this in a browser, if you trust evil.example:\nhttps://evil.example/x?y",
  );
  expect(answer).toEqual({ action: "accept" });
});
