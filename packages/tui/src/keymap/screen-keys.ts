import { keyTable } from "./key-table.ts";

export const homeKeys = keyTable("home", [
  { id: "open", keys: ["enter"], doc: "Open the marked session, or go back to the open one" },
  { id: "markUp", keys: ["up"], doc: "Mark the session above (while the input is empty)" },
  { id: "markDown", keys: ["down"], doc: "Mark the session below (while the input is empty)" },
]);

export const historyKeys = keyTable("history", [
  { id: "resume", keys: ["enter"], doc: "Open the session" },
  { id: "filter", keys: ["/"], doc: "Filter the list: Enter keeps the filter, Esc clears it" },
  { id: "rename", keys: ["r"], doc: "Rename the session" },
  { id: "delete", keys: ["d", "delete"], doc: "Delete the session (asks first)" },
]);

export const settingsKeys = keyTable("settings", [
  { id: "edit", keys: ["enter"], doc: "Next choice, or type a value: Enter saves, Esc cancels" },
  { id: "previous", keys: ["left"], doc: "Previous choice, saved at once" },
  { id: "next", keys: ["right"], doc: "Next choice, saved at once" },
  { id: "reset", keys: ["delete", "ctrl+d"], doc: "Back to the default" },
  { id: "clear", keys: ["escape"], doc: "Clear the filter (just type to filter); else close" },
]);

export const credentialKeys = keyTable("settings: providers", [
  { id: "begin", keys: ["enter"], doc: "Log in with a browser, or type the provider's key (hidden)" },
  { id: "remove", keys: ["delete", "ctrl+d"], doc: "Remove the stored key or login (asks first)" },
]);

/** The screens that a key opens from anywhere. */
export const screenKeys = keyTable("anywhere", [
  { id: "home", keys: ["ctrl+x h"], doc: "Home", hint: "Home" },
  { id: "settings", keys: ["ctrl+s"], doc: "Settings", hint: "Settings" },
  { id: "history", keys: ["ctrl+x l"], doc: "History", hint: "History" },
]);
