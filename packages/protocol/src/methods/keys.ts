import * as z from "zod";
import { notification, request } from "./table.ts";

const action = z.string().min(1).max(100);
const keys = z.array(z.string().min(1).max(50)).max(10);

export const keysMethods = {
  "keys/get": request({
    doc: "The keys that the person has given to actions of the window (`keys.json`), by action: `chat.agents` → `ctrl+x a`. An empty list leaves an action without keys. The server only stores them; clients know what they mean.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({}),
    result: z.object({ path: z.string(), keys: z.record(action, keys), problems: z.array(z.string()) }),
  }),
  "keys/set": request({
    doc: "Gives an action of the window these keys, for all windows and sessions; `null` restores its default keys.",
    lane: "global",
    idempotent: true,
    access: "control",
    params: z.object({ action, keys: keys.nullable() }),
    result: z.object({ keys: z.record(action, keys), problems: z.array(z.string()) }),
  }),
};

export const keysNotifications = {
  "keys/changed": notification({
    doc: "The person's keys changed, in a window or by hand in their file; read them again.",
    params: z.object({}),
  }),
};
