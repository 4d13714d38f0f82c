import { commandNamed, readSlashLine, type Session, type SessionRouter } from "@harness/client/browser";
import type { Result, ServerMethods } from "@harness/protocol";
import { visibleText } from "@harness/protocol/text";
import { element } from "../dom.ts";
import { outputText } from "../shown-text.ts";

type CommandView = Result<ServerMethods, "commands/list">["commands"][number];

const MAX_MATCHES = 8;

/** The slash commands of a session: a menu while one is typed, and the answer of the last one. */
export class CommandLine {
  readonly menu = element("div", { class: "commands", role: "group", "aria-label": "Commands" });
  readonly answer = element("div", { role: "status" });
  readonly #session: Session;
  readonly #call: SessionRouter["call"];
  #commands: Promise<CommandView[]> | undefined;

  constructor(session: Session, call: SessionRouter["call"]) {
    this.#session = session;
    this.#call = call;
  }

  /** Shows the commands whose names begin as the text does. `choose`: with the text that one stands for. */
  async suggest(text: string, choose: (text: string) => void): Promise<void> {
    const typed = /^\/([^\s/]*)$/.exec(text)?.[1]?.toLowerCase();
    if (typed === undefined) {
      this.#commands = undefined;
      this.menu.replaceChildren();
      return;
    }
    this.#commands ??= this.#list(undefined);
    const found = (await this.#commands.catch(() => [])).filter(({ name }) => name.toLowerCase().startsWith(typed));
    // The text has changed meanwhile.
    if (this.#commands === undefined) return;
    this.menu.replaceChildren(
      ...found.slice(0, MAX_MATCHES).map(({ name, argumentHint, description }) =>
        element(
          "button",
          {
            type: "button",
            class: "row",
            click: () => {
              this.menu.replaceChildren();
              choose(`/${name}${argumentHint === undefined ? "" : " "}`);
            },
          },
          element("span", { class: "name" }, `/${visibleText(name)} ${visibleText(argumentHint ?? "")}`.trimEnd()),
          element("span", { class: "muted" }, visibleText(description)),
        ),
      ),
    );
  }

  /** Runs a text that is a slash command; false: it is a message. Rejects with a sentence if there is no such command. */
  async run(text: string): Promise<boolean> {
    this.menu.replaceChildren();
    this.answer.replaceChildren();
    const line = readSlashLine(text);
    if (!line) return false;
    const command = commandNamed(await this.#list(line.name), line.name);
    if (!command)
      throw new Error(`/${line.name} is not a command of this page. To send it as a message, put a space before it.`);
    const { text: said } = await this.#session.command({ name: line.name, args: line.args });
    if (said !== "") this.#show(said);
    return true;
  }

  async #list(name: string | undefined): Promise<CommandView[]> {
    const { commands } = await this.#call("commands/list", { ...this.#session.place, name });
    return commands;
  }

  #show(said: string): void {
    const close = () => this.answer.replaceChildren();
    this.answer.replaceChildren(
      element(
        "article",
        { class: "notice info" },
        element("pre", { class: "output" }, outputText(said)),
        element("button", { type: "button", click: close }, "Close"),
      ),
    );
  }
}
