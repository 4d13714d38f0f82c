export { runWindow } from "./run-window.ts";
export type { WindowRequest } from "./window-request.ts";
