import { describe, expect, it } from "vitest";
import { chatgptLogin } from "../vendors/login-rows.ts";
import { newAttempt } from "./pkce.ts";
import { readPasted, readRedirect } from "./redirect-answer.ts";

const attempt = newAttempt();
const { state } = attempt;
const vendor = { id: "chatgpt", name: "ChatGPT", row: chatgptLogin };
const read = (text: string) => readRedirect(readPasted(text), attempt, vendor);
const code = { is: "code", code: "c0de" };

describe("a pasted answer", () => {
  it.each([
    [`http://127.0.0.1:1455/auth/callback?code=c0de&state=${state}`, code],
    [`  "http://localhost/x?state=${state}&code=c0de&scope=a%20b"\n`, code],
    [`<https://a.example/cb?code=c0de&state=${state}&client_id=app_1>`, { ...code, clientId: "app_1" }],
    [`https://a.example/cb?code=c0de&state=${state}&client_id=a%0Ab`, code],
    [`/auth/callback?code=c0de&state=${state}`, code],
    [`code=c0de&state=${state}`, code],
    [`c0de#${state}`, code],
    [`https://a.example/?error=access_denied&state=${state}`, { is: "refusal" }],
    [`https://a.example/?error=%3Cb%3E&state=${state}`, { is: "refusal" }],
    ["c0de", { is: "stray" }],
    ["c0de#", { is: "stray" }],
    ["c0de#other", { is: "stray" }],
    [`#${state}`, { is: "stray" }],
    [`co%20de two#${state}`, { is: "stray" }],
    [`${"c".repeat(9_000)}#${state}`, { is: "stray" }],
    ["https://a.example/?code=c0de", { is: "stray" }],
    ["https://a.example/?error=access_denied&state=other", { is: "stray" }],
    ["http://[", { is: "stray" }],
    ["", { is: "stray" }],
  ])("is read: %j", (text, expected) => {
    const answer = read(text);
    expect(answer).toMatchObject(expected);
    if (!("problem" in answer)) return expect(answer).toEqual(expected);
    expect(answer.problem).not.toMatch(/c0de|<b>/);
    expect(answer.problem).not.toContain(state);
  });
});
