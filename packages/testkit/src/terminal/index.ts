export { leftBehind } from "./left-behind.ts";
export { OpenTerminal, openTerminal, type TerminalOptions } from "./open-terminal.ts";
export { screenshotPng, screenshotSvg } from "./terminal-picture.ts";
export { type ScreenCell, VirtualScreen, type VirtualScreenOptions } from "./virtual-screen.ts";
