import type { SystemSection } from "../system-section.ts";

/** The setting. The text is the user's own and is never cut. */
export const customInstructions: SystemSection = {
  name: "system",
  room: "whole",
  change: { mark: ({ settings }) => settings.values.custom_instructions, cause: "the custom instructions changed" },
  async read({ settings }) {
    const text = settings.values.custom_instructions.trim();
    return { write: () => [{ name: "custom instructions", text }] };
  },
};
