// The page of `harness web`, in a real browser, beside other clients of the same server.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { turns } from "@harness/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Browser, type BrowserPage, chromium } from "../support/browser.ts";
import { ListeningHome, SocketClient } from "../support/listening-server.ts";
import { WebGateway } from "../support/web-gateway.ts";

describe.skipIf(chromium === undefined)("the page", () => {
  let browser: Browser;
  let place: ListeningHome;
  beforeAll(async () => {
    browser = await Browser.open();
  });
  afterAll(() => browser.close());
  afterEach(() => place.close());

  const opened = async (size: Parameters<Browser["page"]>[0] = {}): Promise<BrowserPage> => {
    const gateway = await WebGateway.of(place);
    const page = await browser.page(size);
    await page.go(await gateway.link(0));
    return page;
  };

  it("begins a session, and has a permission answered that another client watches", async () => {
    place = await ListeningHome.with({
      turns: [
        turns.call("write", { path: "made.txt", content: "one\ntwo\n" }, { text: "Now." }),
        turns.say("It is **made**."),
      ],
    });
    const page = await opened();
    await page.say("make it");
    await page.shows("made.txt · new file · +2 −0");
    const { path } = await place.listen();
    const watching = await SocketClient.at(path, "ann");
    const { sessions } = await watching.client.call("session/live", {});
    await watching.client.call("session/resume", { sessionId: sessions[0]?.sessionId ?? "" });
    const ask = await watching.ask();
    await page.click("Yes, once");
    await watching.withdrawn(ask);
    await page.shows("It is made.");
    expect(existsSync(join(place.cwd, "made.txt"))).toBe(true);
  });

  it("takes a question back that was answered elsewhere, and sends words with a no", async () => {
    place = await ListeningHome.with({
      turns: [
        turns.call("write", { path: "one.txt", content: "1\n" }),
        turns.call("write", { path: "two.txt", content: "2\n" }),
        turns.say("Fine."),
      ],
    });
    const page = await opened();
    await page.say("go");
    await page.shows("one.txt · new file");
    const { path } = await place.listen();
    const other = await SocketClient.at(path, "ann");
    const { sessions } = await other.client.call("session/live", {});
    await other.client.call("session/resume", { sessionId: sessions[0]?.sessionId ?? "" });
    (await other.ask()).answer("allow_once");
    await page.shows("two.txt · new file");
    await page.value(`document.querySelector(".card input").value = "use three.txt"`);
    await page.click("No");
    await page.shows("Fine.");
    expect(JSON.stringify(place.model.requests.at(-1))).toContain("use three.txt");
    expect(await page.value("document.querySelectorAll('.card').length")).toBe(0);
  });

  it("shows what a model wrote as text, and makes links only of addresses of the web", async () => {
    const text = "<img src=x onerror=alert(1)> [x](javascript:alert(1)) [docs](https://example.com/a) `a\u202eb`";
    place = await ListeningHome.with({ turns: [turns.say(text)] });
    const page = await opened();
    await page.say("hi");
    await page.shows("docs (example.com)");
    expect(await page.value("document.querySelectorAll('.agent img').length")).toBe(0);
    expect(await page.value("[...document.querySelectorAll('.agent a')].map((each) => each.href)")).toEqual([
      "https://example.com/a",
    ]);
    expect(await page.text()).toContain("<img src=x onerror=alert(1)> [x](javascript:alert(1))");
  });

  it("runs slash commands, and says which it does not have", async () => {
    place = await ListeningHome.with({
      turns: [
        turns.call("write", { path: "made.txt", content: "one\n" }),
        turns.say("Made."),
        turns.say("Whatever.", { repeat: "always" }),
      ],
    });
    const page = await opened();
    await page.say("make it");
    await page.click("Yes, once");
    await page.shows("Made.");
    await page.until("[...document.querySelectorAll('header .no')].every((each) => each.hidden)");
    await page.write("/und");
    await page.click("/undo");
    await page.say("/undo");
    await page.until("document.querySelector('.notice') !== null");
    expect(existsSync(join(place.cwd, "made.txt"))).toBe(false);
    await page.say("/theme dark");
    await page.shows("/theme is not a command of this page.");
    const told = JSON.stringify(place.model.requests);
    expect(told).not.toMatch(/\/undo|\/theme/);
  });

  it("shows the mode and the model, and changes the mode", async () => {
    place = await ListeningHome.with({
      turns: [
        turns.say("Hello."),
        turns.call("write", { path: "made.txt", content: "one\n" }),
        turns.say("Made without a question."),
      ],
    });
    const page = await opened();
    await page.say("hi");
    await page.shows("Asks first · scripted");
    await page.click("Asks first · scripted");
    await page.choose(".options select", "accept-edits");
    await page.shows("Edits allowed · scripted");
    await page.say("make it");
    await page.shows("Made without a question.");
  });

  it("comes back after its server was killed, with all that was said", async () => {
    place = await ListeningHome.with({ turns: [turns.say("First."), turns.say("Second.")] });
    const page = await opened();
    await page.say("one");
    await page.shows("First.");
    const { path } = await place.listen();
    const { pid } = await (await SocketClient.at(path, "ann")).client.call("server/status", {});
    process.kill(pid, "SIGKILL");
    await page.say("two");
    await page.shows("Second.");
    expect(await page.text()).toMatch(/one[\s\S]*First\.[\s\S]*two[\s\S]*Second\./);
    await page.reload();
    await page.shows("Second.");
  });

  it.each([false, true])(
    "fits a phone (dark: %s), and allows a long command only after its end was in view",
    async (isDark) => {
      const command = `echo ${Array.from({ length: 120 }, (_, at) => `word-${at}`).join(" \\\n  ")} > out.txt`;
      place = await ListeningHome.with({ turns: [turns.call("bash", { command }), turns.say("Done.")] });
      const page = await opened({ width: 360, height: 640, isDark });
      await page.say("go");
      await page.until("document.querySelector('.card .no:not(:disabled)') !== null");
      const ground = await page.value<string>("getComputedStyle(document.body).backgroundColor");
      expect([ground, await page.value("document.documentElement.scrollWidth")]).toEqual([
        isDark ? "rgb(13, 17, 23)" : "rgb(255, 255, 255)",
        360,
      ]);
      expect(await page.value("document.querySelector('.card .yes').disabled")).toBe(true);
      await page.value("document.querySelector('.asked').scrollTo(0, 1e6)");
      await page.click("Yes, once");
      await page.shows("Done.");
    },
  );
});
