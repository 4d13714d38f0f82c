import { describe, expect, it } from "vitest";
import { ESCAPE, settled, type TestWindow, testWindow } from "../../../test/scripted-server.ts";
import { settingsSlice } from "./state.ts";

const SECRET = "sk-secret-0123456789";
const kept = {
  provider: "groq",
  name: "Groq",
  kind: "apiKey",
  masked: "sk-s…6789",
  source: "file",
  from: "credentials.json",
};
const account = {
  provider: "chatgpt",
  name: "ChatGPT",
  kind: "login",
  masked: "eyJh…abcd",
  source: "file",
  from: "credentials.json",
};
const providers = [
  { id: "ollama", name: "Ollama", local: true, ready: true, detail: "http://localhost:11434" },
  { id: "groq", name: "Groq", local: false, ready: false, detail: "It needs a key.", keyEnv: "GROQ_API_KEY" },
  { id: "chatgpt", name: "ChatGPT", local: false, ready: false, detail: "Log in.", login: true },
];
const begun = {
  loginId: "l1",
  url: "https://auth.example.com/x",
  paste: "Paste it.",
  expiresAt: "2026-11-21T14:40:22.000Z",
};

/** The Settings screen with the row of a provider marked; there are no settings. */
async function onRow(provider: "groq" | "chatgpt", prepare: (window: TestWindow) => void = () => undefined) {
  const window = testWindow();
  let credentials: unknown[] = [];
  Object.assign(window.server.answers, {
    "providers/list": () => ({ providers, selected: { provider: "ollama", model: "qwen3-coder" } }),
    "auth/list": () => ({ credentials, problems: [] }),
    "auth/set": () => {
      credentials = [kept];
      return { credential: kept, problems: [] };
    },
    "auth/remove": () => {
      credentials = [];
      return { removed: true };
    },
    "auth/login": () => begun,
    "auth/paste": () => ({ credential: account }),
    "auth/cancel": () => ({}),
  });
  prepare(window);
  window.controller.start();
  await settled();
  window.send("\u0013");
  await settled();
  if (provider === "chatgpt") window.send("\u001b[B");
  return window;
}

const keysOf = ({ store }: TestWindow) => settingsSlice.of(store.get()).keys;

describe("keys and logins in Settings", () => {
  it("lists the providers that take one", async () => {
    const window = await onRow("groq");
    expect(keysOf(window).providers?.map(({ id }) => id)).toEqual(["groq", "chatgpt"]);
  });

  it("sends a key once, and never keeps it in the drawn state", async () => {
    const window = await onRow("groq");
    const seen: string[] = [];
    window.store.subscribe(() => seen.push(JSON.stringify({ ...window.store.get(), session: undefined })));
    window.send("\r");
    window.send(`x\u007f${SECRET.slice(0, 5)}`);
    window.event({ type: "paste", text: `${SECRET.slice(5)}\n`, cut: false });
    expect(keysOf(window).work).toMatchObject({ kind: "typing", provider: "groq" });
    window.send("\r");
    await settled();
    expect(window.server.paramsOf("auth/set")).toEqual([{ provider: "groq", key: SECRET }]);
    expect(keysOf(window)).toMatchObject({ work: undefined, busy: false, message: { severity: "success" } });
    expect(keysOf(window).message?.text).toBe("Stored for Groq: sk-s…6789  credentials.json.");
    expect(keysOf(window).credentials).toEqual([kept]);
    expect(seen.length).toBeGreaterThan(10);
    expect(seen.join("")).not.toContain("secret");
    expect(seen.join("")).not.toContain("0123456789");
  });

  it("drops a typed key with Esc and when another screen is shown", async () => {
    const window = await onRow("groq");
    for (const typed of ["\r", SECRET]) window.send(typed);
    window.send(ESCAPE);
    window.send("\r");
    window.send("\r");
    expect(keysOf(window).work).toBeUndefined();
    for (const typed of ["\r", SECRET]) window.send(typed);
    window.send("\u0018l");
    await settled();
    expect(window.store.get().screen).toBe("history");
    window.send("\u0013");
    await settled();
    expect(keysOf(window).work).toBeUndefined();
    window.send("\r");
    window.send("\r");
    await settled();
    expect(window.server.paramsOf("auth/set")).toEqual([]);
  });

  it("refuses a key with spaces", async () => {
    const window = await onRow("groq");
    window.send("\r");
    window.event({ type: "paste", text: "one\ntwo", cut: false });
    window.send("\r");
    await settled();
    expect(window.server.paramsOf("auth/set")).toEqual([]);
    expect(keysOf(window).message).toMatchObject({ severity: "error", text: expect.stringContaining("no spaces") });
  });

  it("says why a key could not be kept", async () => {
    const window = await onRow("groq", ({ server }) => {
      server.answers["auth/set"] = () => Promise.reject(new Error("The disk is full."));
    });
    for (const typed of ["\r", SECRET, "\r"]) window.send(typed);
    await settled();
    expect(keysOf(window).message?.text).toBe("The key of Groq could not be saved: The disk is full.");
  });

  it.each<[string[], number]>([
    [["\t", "\r"], 1],
    [["\r"], 0],
    [["y", "\r"], 0],
    [[ESCAPE], 0],
  ])("removes a key only once Remove is marked and given: %j", async (answers, times) => {
    const window = await onRow("groq");
    window.send("\u001b[3~");
    expect(keysOf(window).message?.text).toContain("stores nothing for Groq");
    for (const typed of ["\r", SECRET, "\r"]) window.send(typed);
    await settled();
    window.send("\u001b[3~");
    expect(keysOf(window).work).toMatchObject({ kind: "removing" });
    for (const answer of answers) window.send(answer);
    await settled();
    expect(window.server.paramsOf("auth/remove").length).toBe(times);
    expect(keysOf(window).credentials.length).toBe(1 - times);
  });
});

describe("a login", () => {
  it("begins with Enter and ends in the browser", async () => {
    const window = await onRow("chatgpt");
    window.send("\r");
    await settled();
    expect(keysOf(window).work).toMatchObject({ kind: "login", login: begun });
    window.server.listeners?.notices["auth/login_update"]?.({
      loginId: "l1",
      provider: "chatgpt",
      credential: account as never,
    });
    await settled();
    expect(keysOf(window).work).toBeUndefined();
    expect(keysOf(window).message?.text).toBe("Logged in to ChatGPT: eyJh…abcd  credentials.json.");
  });

  it("takes a pasted answer, and a second one if it was wrong", async () => {
    let times = 0;
    const window = await onRow("chatgpt", ({ server }) => {
      server.answers["auth/paste"] = () => {
        times += 1;
        if (times === 1) throw new Error("That belongs to another login.");
        return { credential: account };
      };
    });
    window.send("\r");
    await settled();
    window.event({ type: "paste", text: "http://localhost/?code=1", cut: false });
    window.send("\r");
    await settled();
    expect(keysOf(window).message?.text).toBe("That belongs to another login.");
    window.send("&state=2\r");
    await settled();
    expect(window.server.paramsOf("auth/paste").at(-1)).toEqual({
      loginId: "l1",
      text: "http://localhost/?code=1&state=2",
    });
    expect(keysOf(window)).toMatchObject({ work: undefined, message: { severity: "success" } });
  });

  it("is cancelled with Esc", async () => {
    const window = await onRow("chatgpt");
    window.send("\r");
    await settled();
    window.send(ESCAPE);
    await settled();
    expect(window.server.paramsOf("auth/cancel")).toEqual([{ loginId: "l1" }]);
    expect(keysOf(window).work).toBeUndefined();
  });

  it("is cancelled even before the server has begun it", async () => {
    const window = await onRow("chatgpt");
    window.send("\r");
    window.send(ESCAPE);
    await settled();
    expect(window.server.paramsOf("auth/cancel")).toEqual([{ loginId: "l1" }]);
    expect(keysOf(window).work).toBeUndefined();
  });

  it("continues while another screen is shown, and reports its end there", async () => {
    const window = await onRow("chatgpt");
    window.send("\r");
    await settled();
    window.send("\u0018l");
    await settled();
    window.server.listeners?.notices["auth/login_update"]?.({
      loginId: "l1",
      provider: "chatgpt",
      problem: "The login was refused.",
    });
    expect(window.store.get().notes.at(-1)?.text).toBe("ChatGPT: The login was refused.");
    expect(keysOf(window).work).toBeUndefined();
  });

  it("says why it could not begin", async () => {
    const window = await onRow("chatgpt", ({ server }) => {
      server.answers["auth/login"] = () => Promise.reject(new Error("Set HARNESS_CHATGPT_CLIENT_ID."));
    });
    window.send("\r");
    await settled();
    expect(keysOf(window)).toMatchObject({ work: undefined, message: { text: "Set HARNESS_CHATGPT_CLIENT_ID." } });
  });

  it("takes an end that comes before the answer", async () => {
    const window = await onRow("chatgpt", ({ server }) => {
      server.answers["auth/login"] = () => {
        server.listeners?.notices["auth/login_update"]?.({
          loginId: "l1",
          provider: "chatgpt",
          credential: account as never,
        });
        return begun;
      };
    });
    window.send("\r");
    await settled();
    expect(keysOf(window)).toMatchObject({ work: undefined, message: { severity: "success" } });
  });
});
