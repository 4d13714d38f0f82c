import type { ScreenRow } from "../screen.ts";

export const chatScreen: ScreenRow = {
  title: "Chat",
  purpose: "The conversation: transcript, permissions, composer",
  openedBy: "input.submit",
  hasInput: true,
  view: async () => (await import("./view.tsx")).ChatView,
  create: () => ({}),
};
