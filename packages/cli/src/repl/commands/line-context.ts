import type { NoticeListeners } from "@harness/client";
import type { Lines } from "../../lines/lines.ts";
import type { LineMode } from "../line-mode.ts";

/** The context of a command in line mode. */
export type LineContext = { mode: LineMode; lines: Lines; cwd: string; notices: NoticeListeners };
