import type { OpenTerminal } from "@harness/testkit/terminal";
import { pressUntil } from "./proof.ts";

/** The screens of the window, in the order of the walk. */
type WalkedScreen = "home-empty" | "card" | "chat" | "settings" | "history" | "home";

/** Walks through the screens with the scenario `tour`; called with each when it is drawn. */
export async function takeWindowWalk(window: OpenTerminal, onScreen: (name: WalkedScreen) => void): Promise<void> {
  const has = (text: string) => (rows: string[]) => rows.some((row) => row.includes(text));
  await window.waitFor("scripted-model");
  await window.waitFor("Start with");
  onScreen("home-empty");
  window.type("fix the failing test");
  await window.waitFor("fix the failing test");
  window.press("enter");
  await window.waitFor("Yes, once");
  onScreen("card");
  await pressUntil(window, "\r", (rows) => !has("Yes, once")(rows));
  await window.waitFor((rows) => has("Yes, once")(rows) || has("had two bugs")(rows));
  if (has("Yes, once")(window.screen())) await pressUntil(window, "\r", (rows) => !has("Yes, once")(rows));
  await window.waitFor("is 6");
  await window.waitFor(/1 file|\+3 −3/);
  onScreen("chat");
  window.press("ctrl+s");
  await window.waitFor("Settings");
  onScreen("settings");
  window.press("escape");
  await window.waitFor((rows) => !has("Settings")(rows));
  window.press("ctrl+x");
  window.type("l");
  await window.waitFor("History");
  await window.waitFor("fix the failing test");
  onScreen("history");
  window.press("escape");
  await window.waitFor((rows) => !has("History")(rows));
  window.press("ctrl+x");
  window.type("h");
  await window.waitFor("just now");
  onScreen("home");
}
