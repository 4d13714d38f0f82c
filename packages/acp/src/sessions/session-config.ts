import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk/unstable";
import type { Session } from "@harness/client";
import { modeChoiceConfig, modeChoiceId } from "@harness/client/actions";
import type { SessionConfig } from "@harness/protocol";
import { type ConfigState, chosenConfig, configOptions } from "../config/config-options.ts";
import { modeState } from "../config/mode-options.ts";
import type { ModelMenu } from "../config/model-menu.ts";
import { invalidParams } from "../peer/request-failure.ts";
import type { UpdateWriter } from "../peer/update-writer.ts";
import type { SessionHost } from "./session-host.ts";

/** The configuration, as the answers that begin or open a session have it. */
export type ConfigView = { modes: SessionModeState; configOptions: SessionConfigOption[] };

/** The configuration of a session as its client sees and changes it. */
export class ConfigController {
  readonly #session: Session;
  readonly #client: SessionHost["client"];
  readonly #models: ModelMenu;
  readonly #writer: UpdateWriter;
  #shown = "";

  constructor(session: Session, { client, models }: Pick<SessionHost, "client" | "models">, writer: UpdateWriter) {
    this.#session = session;
    this.#client = client;
    this.#models = models;
    this.#writer = writer;
  }

  async view(): Promise<ConfigView> {
    const state = await this.#state();
    const view = { modes: modeState(state.hud), configOptions: configOptions(state) };
    this.#shown = JSON.stringify(view.configOptions);
    return view;
  }

  /** Sends the options if the client has others. */
  async show(): Promise<void> {
    const state = await this.#state();
    const options = configOptions(state);
    const text = JSON.stringify(options);
    if (text === this.#shown) return;
    this.#shown = text;
    this.#writer.send({ sessionUpdate: "config_option_update", configOptions: options });
    this.#writer.send({ sessionUpdate: "current_mode_update", currentModeId: modeChoiceId(state.hud) });
  }

  async setMode(modeId: string): Promise<void> {
    const config = modeChoiceConfig(modeId, (await this.#state()).hud);
    if (!config) throw invalidParams(`There is no mode ${modeId}.`);
    await this.#session.configure(config);
  }

  async setOption(configId: string, value: unknown): Promise<SessionConfigOption[]> {
    const config: SessionConfig | undefined = chosenConfig(configId, value, await this.#state());
    if (!config) throw invalidParams(`${configId} cannot be ${JSON.stringify(value)}.`);
    await this.#session.configure(config);
    return (await this.view()).configOptions;
  }

  async #state(): Promise<ConfigState> {
    const hud = await this.#client.call("hud/get", this.#session.place);
    return { hud, effort: this.#session.state?.config.effort, models: this.#models.models };
  }
}
