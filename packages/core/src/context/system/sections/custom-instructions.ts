import type { SystemSection } from "../system-section.ts";

/** The setting; its text is the person's own, and never cut. */
export const customInstructions: SystemSection = {
  name: "system",
  room: "whole",
  change: { mark: ({ settings }) => settings.customInstructions, cause: "the custom instructions changed" },
  async read({ settings }) {
    const text = settings.customInstructions.trim();
    return { write: () => [{ name: "custom instructions", text }] };
  },
};
