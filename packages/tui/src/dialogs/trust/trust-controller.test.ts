import { protocolError, type TrustView } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { ESCAPE, settled, type TestWindow, testWindow } from "../../../test/scripted-server.ts";
import { trustRows } from "./trust-rows.ts";

const items: TrustView["items"] = [{ kind: "hook", path: ".harness/hooks.d/send/10-log", detail: "#!/bin/sh" }];
const untrusted: TrustView = { root: "/work", state: "untrusted", items, hash: "h1" };

async function opened(view: Partial<TrustView> = {}): Promise<TestWindow> {
  const window = testWindow();
  window.server.answers["trust/get"] = () => ({ ...untrusted, ...view });
  window.server.answers["trust/set"] = () => ({ ...untrusted, state: "trusted" });
  window.controller.start();
  await settled();
  return window;
}

/** Keys one after another, each seen before the next one. */
function press({ send }: TestWindow, ...keys: string[]): void {
  for (const key of keys) send(key);
}

const decisions = ({ server }: TestWindow): unknown[] =>
  server.paramsOf("trust/set").map(({ hash, decision }) => `${decision} ${hash}`);
const prompts = ({ server }: TestWindow): number => server.paramsOf("session/prompt").length;
const notes = ({ store }: TestWindow): string =>
  store
    .get()
    .notes.map(({ text }) => text)
    .join("\n");

const shown = ({ store }: TestWindow): string => {
  const { trust } = store.get();
  const rows = trust ? trustRows(trust.view, { width: 80, isWhole: trust.isWhole === true }) : [];
  return rows.map(({ spans }) => spans.map(({ text }) => text).join("")).join("\n");
};

describe("the trust dialog", () => {
  it.each([
    ["t", "trust h1"],
    ["1", "trust h1"],
    ["o", "session h1"],
    ["n", "refuse h1"],
    ["т", "refuse h1"],
    ["е", "trust h1"],
    ["ο", "session h1"],
    [ESCAPE, "refuse h1"],
    ["\r", "refuse h1"],
  ])("is answered by %j, and the waiting message is sent then", async (key, decision) => {
    const window = await opened();
    expect(window.store.get().trust).toMatchObject({ asked: true, armed: false });
    window.send("hello\r");
    await settled();
    expect(prompts(window)).toBe(0);
    window.clock.advance(1000);
    press(window, key, ...(key === ESCAPE || key === "\r" ? [] : ["\r"]));
    await settled();
    expect(decisions(window)).toEqual([decision]);
    expect(window.store.get().trust).toBeUndefined();
    expect(prompts(window)).toBe(1);
  });

  it.each<Partial<TrustView>>([
    { state: "trusted" },
    { state: "session" },
    { state: "refused" },
    { state: "nothing", items: [] },
    { state: "untrusted", items: [] },
  ])("does not open for %j", async (view) => {
    const window = await opened(view);
    expect(window.store.get().trust).toBeUndefined();
    window.send("hello\r");
    await settled();
    expect(prompts(window)).toBe(1);
  });

  it("blocks nothing when the server does not know the method", async () => {
    const window = testWindow();
    window.server.answers["trust/get"] = () => {
      throw new Error("No such method.");
    };
    window.controller.start();
    await settled();
    window.send("hello\r");
    await settled();
    expect(prompts(window)).toBe(1);
  });

  it("takes no key typed before it was there and quiet: it goes into the input", async () => {
    const window = await opened();
    window.send("t");
    window.clock.advance(900);
    window.send("o");
    await settled();
    expect(decisions(window)).toEqual([]);
    expect(window.store.get().composer.buffer.text).toBe("to");
    window.clock.advance(1000);
    press(window, ESCAPE, "o", "\r");
    await settled();
    expect(decisions(window)).toEqual(["session h1"]);
  });

  it("is never answered by a paste, and no other screen takes its place", async () => {
    const window = await opened();
    window.clock.advance(1000);
    press(window, "\u001b[200~t\u001b[201~", "\u0013", "\u0018l");
    await settled();
    expect(decisions(window)).toEqual([]);
    expect(window.store.get()).toMatchObject({ screen: "home", overlay: undefined, trust: { asked: true } });
    expect(window.store.get().composer.buffer.text).toBe("t");
  });

  it.each(["to do it", "try again", "only this", "no, 1 more", "1. read", "2 things", "q", "7", "?", "fix it", "çok"])(
    "leaves the words %j to the input, where they wait for the answer",
    async (words) => {
      const window = await opened();
      window.clock.advance(1000);
      press(window, ...words);
      expect(window.store.get().composer.buffer.text).toBe(words);
      expect([window.store.get().overlay, window.store.get().trust?.marked]).toEqual([undefined, undefined]);
      press(window, "\r");
      await settled();
      expect(window.store.get().composer.buffer.text).toBe("");
      window.clock.advance(1000);
      expect([decisions(window), prompts(window)]).toEqual([[], 0]);
      press(window, "o", "\r");
      await settled();
      expect([decisions(window), prompts(window)]).toEqual([["session h1"], 1]);
    },
  );

  it.each(["t\r", "to\r", "t\rt", "1\r"])("is not answered by %j in one read", async (keys) => {
    const window = await opened();
    window.clock.advance(1000);
    window.send(keys);
    await settled();
    expect(decisions(window)).toEqual([]);
  });

  it("takes a key after the end of a paste for a part of the paste", async () => {
    const window = await opened();
    window.clock.advance(1000);
    press(window, "\u001b[200~some text\u001b[201~t", ESCAPE, "t", "\r");
    await settled();
    expect(decisions(window)).toEqual([]);
    window.clock.advance(400);
    press(window, "t", "\r");
    await settled();
    expect(decisions(window)).toEqual(["trust h1"]);
  });

  it("is not granted before its end was on the screen, and denied at once", async () => {
    const many = Array.from({ length: 60 }, (_, at) => ({ kind: "hook" as const, path: `h/${at}`, detail: "x" }));
    const window = await opened({ items: many });
    window.clock.advance(1000);
    press(window, "t", "\r");
    await settled();
    expect(window.store.get().trust).toMatchObject({ tooEarly: true });
    press(window, "\u001b[F", "\r");
    await settled();
    expect(decisions(window)).toEqual([]);
    window.clock.advance(200);
    press(window, "\r");
    await settled();
    expect(decisions(window)).toEqual(["trust h1"]);
  });

  it("shows the whole of a program on request, every sign of it, and a line again", async () => {
    const whole = `#!/bin/sh\n${"echo a\n".repeat(3)}rm -rf ~\u202e\u001b[2J\n`;
    const window = await opened({ items: [{ ...items[0], kind: "hook", path: "x", detail: "#!/bin/sh", whole }] });
    window.clock.advance(1000);
    expect(shown(window)).not.toContain("rm -rf ~");
    window.send("\t");
    expect(shown(window)).toContain("rm -rf ~");
    for (const sign of ["\u202e", "\u001b"]) expect(shown(window)).not.toContain(sign);
    window.send("\t");
    expect(shown(window)).not.toContain("rm -rf ~");
    expect(decisions(window)).toEqual([]);
  });

  it("offers no lasting trust where that is refused", async () => {
    const window = await opened({ refusal: "A home folder is never trusted for good." });
    window.clock.advance(1000);
    press(window, "\u001b[A", "2", "\r");
    await settled();
    expect(decisions(window)).toEqual(["session h1"]);
  });

  it("asks again when the content changed meanwhile", async () => {
    const window = await opened();
    window.server.answers["trust/set"] = () => {
      window.server.answers["trust/get"] = () => ({ ...untrusted, hash: "h2" });
      window.server.answers["trust/set"] = () => ({ ...untrusted, state: "trusted" });
      throw protocolError("conflict", "It has changed.");
    };
    window.clock.advance(1000);
    press(window, "t", "\r");
    await settled();
    expect(window.store.get().trust).toMatchObject({
      armed: false,
      problem: expect.stringContaining("Please look again"),
    });
    window.clock.advance(1000);
    press(window, "t", "\r");
    await settled();
    expect(decisions(window)).toEqual(["trust h1", "trust h2"]);
  });

  it("says why an answer was not saved, and takes another", async () => {
    const window = await opened();
    window.server.answers["trust/set"] = () => {
      throw new Error("The disk is full.");
    };
    window.clock.advance(1000);
    press(window, "t", "\r");
    await settled();
    expect(window.store.get().trust?.problem).toContain("The disk is full.");
    window.server.answers["trust/set"] = () => untrusted;
    press(window, "n", "\r");
    await settled();
    expect(window.store.get().trust).toBeUndefined();
  });

  it("sends an answer for this run to the next server, and asks only when the content changed", async () => {
    const window = await opened();
    window.clock.advance(1000);
    press(window, "o", "\r");
    await settled();
    window.server.lose();
    window.clock.advance(500);
    await settled();
    expect(decisions(window)).toEqual(["session h1", "session h1"]);
    expect(window.store.get().trust).toBeUndefined();
    window.server.answers["trust/get"] = () => ({ ...untrusted, hash: "h2" });
    window.server.lose();
    window.clock.advance(1000);
    await settled();
    expect(window.store.get().trust).toMatchObject({ asked: true, view: { hash: "h2" } });
  });
});

describe("/trust", () => {
  it("shows trusted content, and stops trusting it", async () => {
    const window = await opened({ state: "trusted" });
    window.send("/trust\r");
    await settled();
    expect(window.store.get().trust).toMatchObject({ asked: false });
    window.clock.advance(1000);
    window.send(ESCAPE);
    expect(window.store.get().trust).toBeUndefined();
    expect(decisions(window)).toEqual([]);
    window.send("/trust\r");
    await settled();
    window.clock.advance(1000);
    press(window, "f", "\r");
    await settled();
    expect(decisions(window)).toEqual(["forget h1"]);
  });

  it("says when there is nothing", async () => {
    const window = await opened({ state: "nothing", items: [] });
    window.send("/trust\r");
    await settled();
    expect(notes(window)).toContain("there is nothing to trust");
  });
});

describe("a problem of the settings", () => {
  it("is reported after the trust decision, because ignored settings may count afterwards", async () => {
    const window = testWindow();
    const settings = (problems: string[]) => () => ({ settings: [], path: "", version: "1", problems });
    window.server.answers["settings/get"] = settings(["Not used until the folder is trusted."]);
    window.server.answers["trust/get"] = () => untrusted;
    window.server.answers["trust/set"] = () => {
      window.server.answers["settings/get"] = settings(["One is spelt wrong."]);
      return untrusted;
    };
    window.controller.start();
    await settled();
    expect(notes(window)).toBe("");
    window.clock.advance(1000);
    press(window, "t", "\r");
    await settled();
    expect(notes(window)).toContain("One is spelt wrong.");
    expect(notes(window)).not.toContain("Not used");
  });
});
