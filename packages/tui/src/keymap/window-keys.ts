import type { KeyEvent } from "../input/index.ts";
import { keyName } from "./input-keys.ts";

/** Where a key of the window means something; `keys.ts` has the composer's own and the scrolling ones. */
export type WindowPlace =
  | "anywhere"
  | "chat"
  | "home"
  | "permission"
  | "question"
  | "lists"
  | "settings"
  | "keys"
  | "history"
  | "models"
  | "help"
  | "rewind"
  | "trust";

type WindowKeyRow = {
  readonly id: string;
  readonly where: WindowPlace;
  readonly keys: readonly string[];
  readonly doc: string;
};

const table = [
  {
    id: "suspend",
    where: "anywhere",
    keys: ["ctrl+z"],
    doc: "Stop the window and give the terminal to the shell; fg brings it back",
  },
  { id: "history", where: "anywhere", keys: ["ctrl+g"], doc: "History" },
  {
    id: "steer",
    where: "chat",
    keys: ["alt+s"],
    doc: "Send now: the message joins the running turn before its next request",
  },
  { id: "foldNewest", where: "chat", keys: ["alt+o"], doc: "Open or fold the newest in sight alone" },
  {
    id: "permissionMode",
    where: "chat",
    keys: ["shift+tab"],
    doc: "Who decides: default, accept-edits, plan, auto-in-sandbox where there is a sandbox",
  },
  { id: "unqueue", where: "chat", keys: ["alt+up"], doc: "Take the newest waiting message back into the input" },
  { id: "open", where: "home", keys: ["enter"], doc: "Open the marked session, or go back to the open one" },
  { id: "markUp", where: "home", keys: ["up"], doc: "Mark the session above (while the input is empty)" },
  { id: "markDown", where: "home", keys: ["down"], doc: "Mark the session below (while the input is empty)" },
  { id: "words", where: "permission", keys: ["w"], doc: "Deny, with words for the model" },
  { id: "deny", where: "permission", keys: ["escape", "enter"], doc: "Deny once" },
  { id: "up", where: "permission", keys: ["up"], doc: "A row up (also the wheel)" },
  { id: "down", where: "permission", keys: ["down"], doc: "A row down" },
  { id: "pageUp", where: "permission", keys: ["pageup", "shift+up"], doc: "A page up" },
  { id: "pageDown", where: "permission", keys: ["pagedown", "shift+down"], doc: "A page down" },
  { id: "first", where: "permission", keys: ["home"], doc: "The first row" },
  { id: "last", where: "permission", keys: ["end"], doc: "The end; nothing can be allowed before it was in view" },
  { id: "decline", where: "question", keys: ["escape"], doc: "Give no answer" },
  { id: "answer", where: "question", keys: ["enter"], doc: "Send the words typed" },
  { id: "pageUp", where: "question", keys: ["pageup", "shift+up"], doc: "A page up" },
  { id: "pageDown", where: "question", keys: ["pagedown", "shift+down"], doc: "A page down" },
  { id: "up", where: "lists", keys: ["up", "k", "ctrl+p"], doc: "The row above" },
  { id: "down", where: "lists", keys: ["down", "j", "ctrl+n"], doc: "The row below" },
  { id: "pageUp", where: "lists", keys: ["pageup"], doc: "Ten rows up" },
  { id: "pageDown", where: "lists", keys: ["pagedown"], doc: "Ten rows down" },
  { id: "first", where: "lists", keys: ["home"], doc: "The first row" },
  { id: "last", where: "lists", keys: ["end"], doc: "The last row" },
  { id: "close", where: "lists", keys: ["escape", "q"], doc: "Close" },
  { id: "edit", where: "settings", keys: ["enter"], doc: "Type another value; Enter saves it, Esc leaves it" },
  { id: "previous", where: "settings", keys: ["left", "h"], doc: "The choice before; saved at once" },
  { id: "next", where: "settings", keys: ["right", "l", "space"], doc: "The next choice; saved at once" },
  { id: "reset", where: "settings", keys: ["backspace", "delete", "d"], doc: "Back to the default" },
  { id: "setKey", where: "keys", keys: ["enter"], doc: "Type the provider's key, which is not shown; Enter keeps it" },
  { id: "login", where: "keys", keys: ["l"], doc: "Log in in a browser, where the provider has that" },
  {
    id: "forget",
    where: "keys",
    keys: ["d", "delete", "backspace"],
    doc: "Forget the key or login that is kept, after a question",
  },
  { id: "resume", where: "history", keys: ["enter"], doc: "Open the session" },
  { id: "filter", where: "history", keys: ["/"], doc: "Filter the list: type, Enter keeps it, Esc ends it" },
  { id: "rename", where: "history", keys: ["r"], doc: "Give the session a title" },
  { id: "delete", where: "history", keys: ["d", "delete"], doc: "Delete the session, after a question" },
  {
    id: "choose",
    where: "models",
    keys: ["enter"],
    doc: "Use the marked model, now and for later sessions; typing filters",
  },
  { id: "scrollUp", where: "help", keys: ["up", "k", "shift+up"], doc: "A row up" },
  { id: "scrollDown", where: "help", keys: ["down", "j", "shift+down"], doc: "A row down" },
  { id: "mark", where: "rewind", keys: ["enter"], doc: "Go back to before the marked message" },
  { id: "both", where: "rewind", keys: ["b"], doc: "Conversation and files" },
  { id: "conversation", where: "rewind", keys: ["c"], doc: "The conversation alone" },
  { id: "files", where: "rewind", keys: ["f"], doc: "The files alone" },
  { id: "no", where: "trust", keys: ["escape", "enter"], doc: "Not trusted; nothing of the folder runs" },
  { id: "up", where: "trust", keys: ["up"], doc: "A row up (also the wheel)" },
  { id: "down", where: "trust", keys: ["down"], doc: "A row down" },
  { id: "pageUp", where: "trust", keys: ["pageup", "shift+up"], doc: "A page up" },
  { id: "pageDown", where: "trust", keys: ["pagedown", "shift+down"], doc: "A page down" },
  { id: "first", where: "trust", keys: ["home"], doc: "The first row" },
  { id: "last", where: "trust", keys: ["end"], doc: "The end; nothing can be trusted before it was in view" },
] as const satisfies readonly WindowKeyRow[];

type Row = (typeof table)[number];
export type WindowKeyId<P extends WindowPlace> = Extract<Row, { where: P }>["id"];

/** Every key that `keys.ts` does not have, in the order help shows them. */
export const windowKeys: readonly WindowKeyRow[] = table;

/** What a key means in a place. */
export function windowKey<P extends WindowPlace>(key: KeyEvent, where: P): WindowKeyId<P> | undefined {
  const name = keyName(key);
  return table.find((row) => row.where === where && (row.keys as readonly string[]).includes(name))?.id as
    | WindowKeyId<P>
    | undefined;
}
