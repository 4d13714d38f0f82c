import { openingText } from "../../../modes/mode-text.ts";
import type { SystemSection } from "../system-section.ts";

/** Introduces harness and the purpose of the agent mode; a named agent's own text replaces the mode's. */
export const modeOpening: SystemSection = {
  name: "system",
  room: "whole",
  key: ({ mode }) => mode,
  async read({ requests }, { mode }) {
    const [header, modeText] = await Promise.all([
      requests.modePrompts.read("header"),
      requests.modePrompts.read(mode),
    ]);
    return {
      write({ budget, agent: { prompt } }) {
        const own = { header, mode: prompt ?? modeText };
        return [{ name: `${mode} mode`, text: openingText(mode, { own, size: budget.size }) }];
      },
    };
  },
};
