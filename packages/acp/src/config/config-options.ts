import type { SessionConfigOption } from "@agentclientprotocol/sdk/unstable";
import { modeChoiceConfig, modeChoiceId, modeWords } from "@harness/client/actions";
import { agentModeOf, agentModes, efforts, type Hud, type ModelView, type SessionConfig } from "@harness/protocol";
import { availableModes } from "./mode-options.ts";

/** The state that the options show. */
export type ConfigState = {
  hud: Pick<Hud, "model" | "provider" | "permissionMode" | "mode">;
  effort: string | undefined;
  models: readonly Pick<ModelView, "provider" | "model" | "windowTokens">[];
};

type Choice = { value: string; name: string; description?: string };

const AS_SET = "default";

/** Each option with how a value becomes a configuration; undefined if there is no such value. */
type OptionRow = {
  show(state: ConfigState): SessionConfigOption | undefined;
  read(value: string, state: ConfigState): SessionConfig | undefined;
};

const rows: Readonly<Record<string, OptionRow>> = {
  mode: {
    show: ({ hud }) =>
      select(
        { id: "mode", name: "Mode", category: "mode", currentValue: modeChoiceId(hud) },
        availableModes.map(({ id, name, description }) => ({ value: id, name, ...(description && { description }) })),
      ),
    read: (value, { hud }) => modeChoiceConfig(value, hud),
  },
  model: {
    show: ({ hud: { provider, model }, models }) =>
      provider === undefined || model === undefined
        ? undefined
        : select(
            { id: "model", name: "Model", category: "model", currentValue: modelValue({ provider, model }) },
            modelChoices({ provider, model }, models),
          ),
    read(value, { models }) {
      const chosen = models.find((each) => modelValue(each) === value);
      return chosen && { provider: chosen.provider, model: chosen.model };
    },
  },
  effort: {
    show: ({ effort = AS_SET }) =>
      select(
        { id: "effort", name: "Thinking", category: "thought_level", currentValue: effort },
        [...new Set([...(effort === AS_SET ? [AS_SET] : []), effort, ...efforts])].map((value) => ({
          value,
          name: value,
        })),
      ),
    read: (value) => (efforts.some((each) => each === value) ? { effort: value } : undefined),
  },
  _agent_mode: {
    show: ({ hud: { permissionMode, mode = "agent" } }) =>
      select(
        { id: "_agent_mode", name: "Purpose", category: "_agent_mode", currentValue: mode },
        agentModes.map((value) => ({
          value,
          name: `${value.charAt(0).toUpperCase()}${value.slice(1)}`,
          description:
            value === "agent" ? "It does the work, with all tools." : modeWords({ permissionMode, mode: value }).doc,
        })),
      ),
    read(value) {
      const mode = agentModeOf(value);
      return mode && { mode };
    },
  },
};

export function configOptions(state: ConfigState): SessionConfigOption[] {
  return Object.values(rows).flatMap((row) => row.show(state) ?? []);
}

/** The configuration that a client's value stands for; undefined if there is no such option or value. */
export function chosenConfig(configId: string, value: unknown, state: ConfigState): SessionConfig | undefined {
  return Object.hasOwn(rows, configId) && typeof value === "string" ? rows[configId]?.read(value, state) : undefined;
}

type SelectHead = { id: string; name: string; category: string; currentValue: string };

function select(head: SelectHead, options: Choice[]): SessionConfigOption {
  return { type: "select", ...head, options };
}

function modelValue({ provider, model }: { provider: string; model: string }): string {
  return `${provider}/${model}`;
}

/** The model in use is one of them, also before the list has come. */
function modelChoices(current: { provider: string; model: string }, models: ConfigState["models"]): Choice[] {
  const choices = new Map<string, Choice>();
  for (const each of [current, ...models]) {
    const value = modelValue(each);
    choices.set(value, { value, name: each.model, description: each.provider });
  }
  return [...choices.values()];
}
