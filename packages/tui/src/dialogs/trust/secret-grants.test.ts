import { type ProviderSecrets, protocolError, type TrustView } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { ESCAPE, settled, type TestWindow, testWindow } from "../../../test/scripted-server.ts";
import { trustLayout, trustPlaceIn } from "./trust-layout.ts";

const variable = (name: string, state: "granted" | "withheld" | "undecided", set = true) => ({ name, state, set });
const corp: ProviderSecrets = {
  provider: "corp",
  path: ".harness/providers/corp",
  hash: "p1",
  variables: [variable("CORP_TOKEN", "undecided"), variable("OPENAI_API_KEY", "undecided", false)],
};
const other: ProviderSecrets = { ...corp, provider: "other", hash: "p2", variables: [variable("X_KEY", "undecided")] };
const trusted = (...secrets: ProviderSecrets[]): TrustView => ({
  root: "/work",
  state: "trusted",
  items: [{ kind: "provider", path: ".harness/providers/corp", detail: "program for sh, 20 bytes: env" }],
  hash: "h1",
  secrets,
});

async function opened(view: TrustView): Promise<TestWindow> {
  const window = testWindow();
  window.server.answers["trust/get"] = () => view;
  window.server.answers["trust/set"] = () => trusted(corp);
  window.server.answers["trust/grant"] = () => trusted();
  window.controller.start();
  await settled();
  window.clock.advance(1000);
  return window;
}

async function press({ send, clock }: TestWindow, ...keys: string[]): Promise<void> {
  for (const key of keys) send(key);
  await settled();
  clock.advance(1000);
}

const grants = ({ server }: TestWindow) =>
  server
    .paramsOf("trust/grant")
    .map(({ provider, hash, names }) => `${provider} ${hash} ${(names as string[]).join()}`);
const shown = ({ store }: TestWindow): string => {
  const { trust } = store.get();
  if (!trust) return "";
  const { shown: rows, answers } = trustLayout(trust, trustPlaceIn(store.get()));
  const lines = rows.map(({ spans }) => spans.map(({ text }) => text).join(""));
  return [...lines, ...answers].join("\n");
};

describe("the question about a provider's secrets", () => {
  it.each([
    ["g", "corp p1 CORP_TOKEN,OPENAI_API_KEY"],
    ["1", "corp p1 CORP_TOKEN,OPENAI_API_KEY"],
    ["n", "corp p1 "],
    ["\r", "corp p1 "],
    [ESCAPE, "corp p1 "],
  ])("is asked before the first message, and answered by %j", async (key, answer) => {
    const window = await opened(trusted(corp));
    const text = shown(window);
    for (const words of [
      "corp",
      "CORP_TOKEN  set",
      "OPENAI_API_KEY  not set",
      ".harness/providers/corp",
      "program for sh",
    ])
      expect(text).toContain(words);
    window.send("hello\r");
    await settled();
    expect(window.server.paramsOf("session/prompt")).toEqual([]);
    window.clock.advance(1000);
    await press(window, key, ...(key === ESCAPE || key === "\r" ? [] : ["\r"]));
    expect(grants(window)).toEqual([answer]);
    expect(window.store.get().trust).toBeUndefined();
    expect(window.server.paramsOf("session/prompt")).toHaveLength(1);
  });

  it("follows the answer that trusts the folder, for each provider by itself", async () => {
    const window = await opened({ ...trusted(), state: "untrusted" });
    window.server.answers["trust/set"] = () => trusted(corp, other);
    await press(window, "t", "\r");
    expect(window.store.get().trust?.providers).toEqual([corp, other]);
    await press(window, "g", "\r");
    expect(window.store.get().trust?.providers).toEqual([other]);
    await press(window, "n", "\r");
    expect(grants(window)).toEqual(["corp p1 CORP_TOKEN,OPENAI_API_KEY", "other p2 "]);
    expect(window.store.get().trust).toBeUndefined();
  });

  it("takes no key before it was there and quiet", async () => {
    const window = await opened({ ...trusted(), state: "untrusted" });
    for (const key of ["t", "\r"]) window.send(key);
    await settled();
    for (const key of ["g", "\r"]) window.send(key);
    await settled();
    expect(window.store.get().trust).toMatchObject({ providers: [corp], armed: false });
    expect(grants(window)).toEqual([]);
  });

  it("is about what is new, and leaves what was granted and withheld as it is", async () => {
    const before = [variable("A_KEY", "granted"), variable("B_KEY", "withheld"), variable("C_KEY", "undecided")];
    const window = await opened(trusted({ ...corp, variables: before }));
    expect(shown(window)).toContain("Granted before  A_KEY");
    expect(shown(window)).not.toContain("B_KEY");
    await press(window, "g", "\r");
    expect(grants(window)).toEqual(["corp p1 A_KEY,C_KEY"]);
  });

  it.each(["granted", "withheld"] as const)("is not asked where all are %s, and /trust asks again", async (state) => {
    const decided = { ...corp, variables: [variable("CORP_TOKEN", state)] };
    const window = await opened(trusted(decided));
    expect(window.store.get().trust).toBeUndefined();
    window.send("/trust\r");
    await settled();
    window.clock.advance(1000);
    expect(shown(window)).toContain(`CORP_TOKEN  ${state === "granted" ? "granted" : "not granted"}`);
    await press(window, "s", "\r");
    await press(window, state === "granted" ? "n" : "g", "\r");
    expect(grants(window)).toEqual([state === "granted" ? "corp p1 " : "corp p1 CORP_TOKEN"]);
  });

  it("is never answered by a word, a paste, or both keys in one read", async () => {
    const window = await opened(trusted(corp));
    await press(window, "g\r");
    await press(window, "\u001b[200~g\u001b[201~");
    expect(grants(window)).toEqual([]);
    expect(window.store.get().trust).toBeDefined();
  });

  it("shows the folder again when the program changed meanwhile", async () => {
    const window = await opened(trusted(corp));
    window.server.answers["trust/grant"] = () => {
      window.server.answers["trust/get"] = () => ({ ...trusted(), state: "changed" });
      throw protocolError("conflict", "It has changed.");
    };
    await press(window, "g", "\r");
    expect(window.store.get().trust).toMatchObject({ providers: [], problem: expect.stringContaining("look again") });
  });

  it("gives an answer for this run to the next server", async () => {
    const window = await opened({ ...trusted(), state: "untrusted" });
    window.server.answers["trust/set"] = () => ({ ...trusted(corp), state: "session" });
    await press(window, "o", "\r");
    await press(window, "g", "\r");
    window.server.lose();
    window.clock.advance(500);
    await settled();
    expect(grants(window)).toEqual([...Array(2)].map(() => "corp p1 CORP_TOKEN,OPENAI_API_KEY"));
    expect(window.store.get().trust).toBeUndefined();
  });
});
