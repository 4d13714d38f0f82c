import type { ScreenRow } from "../screen.ts";

export const chat: ScreenRow = {
  title: "Chat",
  purpose: "The conversation: transcript, permissions, composer",
  reachedBy: "Enter",
  hasInput: true,
  keys: [],
  view: async () => (await import("./view.tsx")).Chat,
  create: ({ conversation }) => conversation(),
};
