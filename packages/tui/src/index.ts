export { runWindow } from "./app/run-window.ts";
