// Images for a message, as any client gets and sends them: a real server over stdio, a scripted model over HTTP.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProtocolError } from "@harness/protocol";
import { startModelServer, turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

const onePixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const loadedPixel = {
  mimeType: "image/png",
  data: onePixel.toString("base64"),
  widthPx: 1,
  heightPx: 1,
  original: { widthPx: 1, heightPx: 1, sizeBytes: 70 },
};

async function start(env: Record<string, string> = {}) {
  live = await LiveServer.start({ turns: [turns.say("ok", { repeat: "always" })] });
  mkdirSync(live.cwd, { recursive: true });
  writeFileSync(join(live.root, "a shot.png"), onePixel);
  writeFileSync(join(live.cwd, "notes.png"), "only words");
  writeFileSync(join(live.cwd, "a.ts"), "const a = 1;\n");
  const bin = join(live.root, "bin");
  mkdirSync(bin);
  writeFileSync(
    join(bin, "xclip"),
    `#!/bin/sh\ncase "$*" in *TARGETS*) echo image/png;; *) cat '${live.root}/a shot.png';; esac\n`,
  );
  chmodSync(join(bin, "xclip"), 0o755);
  const { client } = await live.connect(undefined, { PATH: `${bin}:${process.env.PATH}`, ...env });
  const load = (source: Parameters<typeof client.call<"image/load">>[1]["source"]) =>
    client.call("image/load", { source }).catch((error: ProtocolError) => `${error.kind}: ${error.message}`);
  return { client, load };
}

describe("a picture for a message", () => {
  it("is read from a file of the person's choice, by path or URL, also outside the workspace", async () => {
    const { load } = await start();
    const expected = { name: "a shot.png", ...loadedPixel };
    expect(await load({ from: "file", path: "../a shot.png", cwd: live.cwd })).toEqual(expected);
    const url = `file://${live.root}/a shot.png`.replaceAll(" ", "%20");
    expect(await load({ from: "file", path: url, cwd: live.cwd })).toEqual(expected);
    expect(await load({ from: "data", data: loadedPixel.data })).toEqual({ ...expected, name: "clipboard" });
  });

  it("is refused with words where it is none", async () => {
    const { load } = await start();
    expect(await load({ from: "file", path: "gone.png", cwd: live.cwd })).toBe(
      `not_found: There is no image at ${live.cwd}/gone.png.`,
    );
    expect(await load({ from: "file", path: "notes.png", cwd: live.cwd })).toBe(
      "not_found: notes.png is not a PNG, JPEG, GIF, WebP or BMP image that harness can read.",
    );
    writeFileSync(join(live.cwd, "huge.png"), Buffer.alloc(20 * 1024 * 1024 + 1));
    expect(await load({ from: "file", path: "huge.png", cwd: live.cwd })).toMatch(
      /^not_found: huge\.png is larger than 20 MB/,
    );
  });

  it("is read from the clipboard by a program of the platform, and the answer says where there is none", async () => {
    const { load } = await start({ DISPLAY: ":7" });
    expect(await load({ from: "clipboard" })).toEqual({ name: "clipboard", ...loadedPixel });
    const { client } = await live.connect();
    const refused = await client
      .call("image/load", { source: { from: "clipboard" } })
      .catch((error: ProtocolError) => error);
    expect(refused).toMatchObject({
      message: "There is no clipboard here: neither WAYLAND_DISPLAY nor DISPLAY is set.",
      data: { what: "clipboard_program" },
    });
  });

  it("is drawn for a terminal as PNG and as pixels", async () => {
    const { client } = await start();
    const box = { data: loadedPixel.data, widthPx: 400, heightPx: 200 };
    const drawn = await client.call("image/draw", { ...box, form: "rgba" });
    expect(drawn).toMatchObject({ widthPx: 1, heightPx: 1 });
    expect(Buffer.from(drawn.data, "base64")).toHaveLength(4);
    const png = await client.call("image/draw", { ...box, form: "png" });
    expect(Buffer.from(png.data, "base64").toString("latin1", 1, 4)).toBe("PNG");
  });

  it("keeps its name and size in the message", async () => {
    const { client } = await start();
    const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
    const image = { type: "image" as const, mimeType: "image/png", data: loadedPixel.data, name: "a shot.png" };
    await client.call("session/prompt", { sessionId, promptId: "p", prompt: [...say("what is it"), image] });
    await live.idle();
    const messages = live.updates.flatMap(({ update }) => (update.sessionUpdate === "user_message" ? [update] : []));
    expect(messages[0]?.content).toEqual([...say("what is it"), { ...image, widthPx: 1, heightPx: 1 }]);
    const body = JSON.stringify(live.model.chatRequests.at(-1)?.body);
    expect(body).toContain(`"url":"data:image/png;base64,${loadedPixel.data}"`);
    expect(body).not.toContain("a shot.png");
  });

  it("is warned of before a model that cannot see it is asked, and the model gets words", async () => {
    const server = await startModelServer({
      flavour: "ollama",
      scenario: {
        models: [{ id: "blind:1b", capabilities: ["completion", "tools"] }],
        turns: [{ text: "ok", repeat: "always" }],
      },
    });
    try {
      const { client } = await start({ ...server.environment, HARNESS_MODEL: "blind:1b", HARNESS_PROVIDER: "ollama" });
      const at = { cwd: live.cwd };
      expect(await client.call("prompt/preview", { text: "", at })).toMatchObject({
        model: "blind:1b",
        seesImages: false,
      });
      const { sessionId } = (await client.call("session/new", at)).session;
      const image = { type: "image" as const, mimeType: "image/png", data: loadedPixel.data };
      await client.call("session/prompt", { sessionId, promptId: "p", prompt: [...say("what is it"), image] });
      await live.idle();
      const kinds = live.updates.flatMap(({ update: { sessionUpdate: kind } }) =>
        kind === "notice" || kind === "user_message" ? [kind] : [],
      );
      expect(kinds.slice(0, 2)).toEqual(["notice", "user_message"]);
      const notice = live.updates.find(({ update }) => update.sessionUpdate === "notice")?.update;
      expect(notice).toMatchObject({ severity: "warning", title: "blind:1b cannot see images." });
      expect(JSON.stringify(server.chatRequests.at(-1)?.body)).toContain("An image is left out");
    } finally {
      await server.close();
    }
  });

  it("is previewed with its message, before a session is there and in one", async () => {
    const { client } = await start();
    const text = "see @a.ts and @../a.ts and @gone.ts#3";
    expect(await client.call("prompt/preview", { text, at: { cwd: live.cwd } })).toMatchObject({
      model: "scripted",
      mentions: [
        { mention: "a.ts", kind: "file", tokens: 10 },
        { mention: "../a.ts", problem: expect.stringMatching(/^There is no \.\.\/a\.ts/) },
        { mention: "gone.ts", problem: expect.stringMatching(/^There is no/) },
      ],
    });
    const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
    const { mentions } = await client.call("prompt/preview", { text: "@../bin/xclip", at: { sessionId } });
    expect(mentions).toMatchObject([{ problem: "../bin/xclip is outside the workspace." }]);
  });

  it("is left out for good where the model's server cannot decode it, with words, also in a later life", async () => {
    const { client } = await start();
    const refused = { kind: "status", status: 400, message: "Could not process image", times: 1 } as const;
    live.model.setScenario({ turns: [turns.say("seen", { fault: refused }), turns.say("ok", { repeat: "always" })] });
    const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
    const image = { type: "image" as const, mimeType: "image/png", data: loadedPixel.data, name: "a shot.png" };
    await client.call("session/prompt", { sessionId, promptId: "p", prompt: [...say("what is it"), image] });
    const { seq = 0 } = await live.idle();
    const facts = live.updates.flatMap(({ update }) => (update.sessionUpdate === "context_update" ? [update] : []));
    expect(facts).toMatchObject([{ reason: "refused", title: expect.stringContaining("accept it: a shot.png.") }]);
    await client.call("session/close", { sessionId });
    const later = (await live.connect()).client;
    await later.call("session/resume", { sessionId });
    await later.call("session/prompt", { sessionId, promptId: "q", prompt: say("and now?") });
    await live.idle(seq);
    const bodies = live.model.chatRequests.map(({ body }) => JSON.stringify(body).includes("data:image/png"));
    expect(bodies).toEqual([true, false, false]);
    expect(JSON.stringify(live.model.chatRequests.at(-1)?.body)).toContain("did not accept it.]");
  });
});
