// A headless Chromium, driven by its DevTools protocol (https://chromedevtools.github.io/devtools-protocol).
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome"];

/** The browser of this machine; undefined: tests of pages are skipped. */
export const chromium = names.find((name) => spawnSync(name, ["--version"]).status === 0);

const arguments_ = [
  "--headless=new",
  // Tests may run as root in a container.
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--remote-debugging-port=0",
  "about:blank",
];

type Answer = { id?: number; method?: string; result?: Record<string, unknown>; error?: { message: string } };

/** One tab. */
export class BrowserPage {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #count = 0;
  #loaded: (() => void) | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const answer = JSON.parse(String(data)) as Answer;
      if (answer.id !== undefined) this.#waiting.get(answer.id)?.(answer);
      if (answer.method === "Page.loadEventFired") this.#loaded?.();
    });
  }

  static async at(address: string): Promise<BrowserPage> {
    const socket = new WebSocket(address);
    await new Promise((open, failed) => {
      socket.addEventListener("open", open);
      socket.addEventListener("error", failed);
    });
    return new BrowserPage(socket);
  }

  async send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    this.#count += 1;
    const id = this.#count;
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.send(JSON.stringify({ id, method, params }));
    const { result = {}, error } = await answered;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** The value of an expression in the page. */
  async value<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = (await this.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })) as { result: { value: T }; exceptionDetails?: { text: string; exception?: { description?: string } } };
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Waits, in the page, until an expression is true of its changed content. */
  async until(expression: string, ms = 20_000): Promise<void> {
    const isTrue = await this.value<boolean>(`new Promise((resolve) => {
      const look = () => {
        if (!(${expression})) return false;
        observer.disconnect();
        resolve(true);
        return true;
      };
      const observer = new MutationObserver(look);
      observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
      if (!look()) setTimeout(() => { observer.disconnect(); resolve(false); }, ${ms});
    })`);
    if (!isTrue) throw new Error(`not in ${ms} ms: ${expression}\n${await this.text()}`);
  }

  shows(text: string): Promise<void> {
    return this.until(`document.body.innerText.includes(${JSON.stringify(text)})`);
  }

  text(): Promise<string> {
    return this.value("document.body.innerText");
  }

  /** Clicks the first button, or head of a folded part, whose name begins so, once it can be clicked. */
  async click(name: string): Promise<void> {
    const found = `[...document.querySelectorAll("button, summary")].find((each) => !each.disabled && each.innerText.startsWith(${JSON.stringify(name)}))`;
    await this.until(`${found} !== undefined`);
    await this.value(`${found}.click()`);
  }

  /** Types a text into the field that is shown, in place of what is there. */
  async write(text: string): Promise<void> {
    await this.until(`document.querySelector("textarea") !== null`);
    await this.value(`document.querySelector("textarea").select()`);
    await this.send("Input.insertText", { text });
  }

  /** Chooses in a menu. */
  choose(selector: string, value: string): Promise<void> {
    const menu = `document.querySelector(${JSON.stringify(selector)})`;
    return this.value(`${menu}.value = ${JSON.stringify(value)}; ${menu}.dispatchEvent(new Event("change"))`);
  }

  /** Sends a message in the field that is shown. */
  async say(text: string): Promise<void> {
    await this.write(text);
    await this.send("Input.dispatchKeyEvent", {
      type: "keyDown",
      key: "Enter",
      code: "Enter",
      windowsVirtualKeyCode: 13,
    });
  }

  go(url: string): Promise<void> {
    return this.#load("Page.navigate", { url });
  }

  reload(): Promise<void> {
    return this.#load("Page.reload", {});
  }

  async #load(method: string, params: object): Promise<void> {
    const loaded = new Promise<void>((resolve) => {
      this.#loaded = resolve;
    });
    await this.send(method, params);
    await loaded;
  }

  async picture(path: string): Promise<void> {
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    writeFileSync(path, Buffer.from(String(data), "base64"));
  }

  close(): void {
    this.#socket.close();
  }
}

/** A browser with a profile of its own. */
export class Browser {
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly #address: URL;

  private constructor(child: ChildProcess, profile: string, address: URL) {
    this.#child = child;
    this.#profile = profile;
    this.#address = address;
  }

  static async open(): Promise<Browser> {
    const profile = mkdtempSync(join(tmpdir(), "browser-"));
    const child = spawn(chromium ?? "", [`--user-data-dir=${profile}`, ...arguments_], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const address = await new Promise<string>((resolve, reject) => {
      let said = "";
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const [, found] = /DevTools listening on (ws:\S+)/.exec(said) ?? [];
        if (found !== undefined) resolve(found);
      });
      child.once("exit", () => reject(new Error(`The browser does not start: ${said}`)));
    });
    return new Browser(child, profile, new URL(address));
  }

  /** A new tab of this size, in light or dark. */
  async page({ width = 1000, height = 800, isDark = false } = {}): Promise<BrowserPage> {
    const answer = await fetch(`http://${this.#address.host}/json/new?about:blank`, { method: "PUT" });
    const { webSocketDebuggerUrl } = (await answer.json()) as { webSocketDebuggerUrl: string };
    const page = await BrowserPage.at(webSocketDebuggerUrl);
    await page.send("Page.enable");
    await page.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 600 });
    const features = [{ name: "prefers-color-scheme", value: isDark ? "dark" : "light" }];
    await page.send("Emulation.setEmulatedMedia", { features });
    return page;
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
