import type { ScreenRow } from "../screen.ts";
import { chatRows } from "./chat-rows.ts";

export const chat: ScreenRow = {
  title: "Chat",
  purpose: "The conversation: transcript, permissions, composer",
  openedBy: "input.submit",
  aboveInput: chatRows,
  create: ({ window }) => ({ take: window.conversation() }),
};
