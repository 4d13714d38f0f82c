export { runWindow } from "./app/run-window.ts";
export type { WindowRequest } from "./state/window-request.ts";
