import type { TranscriptItem } from "@harness/protocol";
import { processNotice } from "./process-notice.ts";

type Of<Kind extends TranscriptItem["kind"]> = Extract<TranscriptItem, { kind: Kind }>;

/** The text of an item that is a notice, or is shown as one. */
export type NoticeText = Pick<Of<"notice">, "severity" | "title" | "description">;

/** For facts that an older version wrote without their text. */
const rewinds: Record<Of<"rewind">["rewind"], string> = {
  undo: "Changes were undone.",
  redo: "Changes were redone.",
  rewind: "The conversation or files were rewound.",
};

/** The notice text of an item that is shown as one. */
export function noticeOf(item: Of<"notice" | "rewind" | "process">): NoticeText {
  if (item.kind === "process") return processNotice(item);
  if (item.kind === "notice") return item;
  return { description: restoredText(item.files ?? []), title: rewinds[item.rewind], ...item, severity: "info" };
}

const outcomes = {
  restored: "Restored",
  deleted: "Removed",
  merged: "Merged",
  kept: "Left as it is",
  failed: "Could not be written",
} as const;

function restoredText(files: NonNullable<Of<"rewind">["files"]>): string {
  const lines = files.map(({ path, outcome, why }) => `${outcomes[outcome]}: ${path}${why ? ` (${why})` : ""}.`);
  return lines.join("\n");
}
