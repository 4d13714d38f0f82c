import { modeChoiceConfig, modeChoiceId, modeChoices, type Session, type SessionRouter } from "@harness/client/browser";
import type { Hud, SessionConfig } from "@harness/protocol";
import { visibleText } from "@harness/protocol/text";
import { element } from "../dom.ts";

type Model = { provider: string; model: string };

type OptionsDeps = {
  session: Session;
  call: SessionRouter["call"];
  report(error: unknown): void;
};

/** The mode and the model of a session, as two menus. */
export class SessionOptions {
  readonly root = element("details", { class: "options", toggle: () => void this.#listModels() });
  readonly #deps: OptionsDeps;
  readonly #summary = element("summary", { class: "muted" }, "Options");
  readonly #mode = element("select", { change: () => void this.#setMode() });
  readonly #model = element("select", { change: () => void this.#setModel() });
  readonly #doc = element("p", { class: "muted" });
  #hud: Hud | undefined;
  #models: readonly Model[] = [];
  #isListed = false;

  constructor(deps: OptionsDeps) {
    this.#deps = deps;
    this.root.append(
      this.#summary,
      element("label", {}, "Mode ", this.#mode),
      this.#doc,
      element("label", {}, "Model ", this.#model),
    );
    this.#mode.append(...modeChoices.map(({ id, name }) => element("option", { value: id }, name)));
  }

  show(hud: Hud): void {
    this.#hud = hud;
    const mode = modeChoices.find(({ id }) => id === modeChoiceId(hud));
    const model = hud.model === undefined ? "no model" : visibleText(hud.model);
    this.#summary.textContent = `${mode?.name ?? ""} · ${model}`;
    this.#mode.value = mode?.id ?? "";
    this.#doc.textContent = mode?.doc ?? "";
    this.#showModels();
  }

  /** Reads what is in force. Never rejects. */
  async refresh(): Promise<void> {
    const { call, session, report } = this.#deps;
    await call("hud/get", session.place).then((hud) => this.show(hud), report);
  }

  #showModels(): void {
    const { provider, model } = this.#hud ?? {};
    const current = provider === undefined || model === undefined ? [] : [{ provider, model }];
    const choices = new Map([...current, ...this.#models].map((each) => [optionValue(each), each]));
    this.#model.replaceChildren(
      ...[...choices].map(([value, each]) =>
        element("option", { value }, `${visibleText(each.model)} (${visibleText(each.provider)})`),
      ),
    );
    this.#model.value = current[0] ? optionValue(current[0]) : "";
  }

  /** Servers may be slow to list theirs: they are asked when the menu is first opened. */
  async #listModels(): Promise<void> {
    if (!this.root.open || this.#isListed) return;
    this.#isListed = true;
    const { call, report } = this.#deps;
    await call("models/list", {}).then(({ models }) => {
      this.#models = models;
      this.#showModels();
    }, report);
  }

  async #setMode(): Promise<void> {
    const config = this.#hud && modeChoiceConfig(this.#mode.value, this.#hud);
    await this.#configure(config);
  }

  async #setModel(): Promise<void> {
    const chosen = this.#models.find((each) => optionValue(each) === this.#model.value);
    await this.#configure(chosen && { provider: chosen.provider, model: chosen.model });
  }

  /** Shows what holds afterwards, also if it was refused. */
  async #configure(config: SessionConfig | undefined): Promise<void> {
    const { session, report } = this.#deps;
    if (config) await session.configure(config).catch(report);
    await this.refresh();
  }
}

function optionValue({ provider, model }: Model): string {
  return JSON.stringify([provider, model]);
}
