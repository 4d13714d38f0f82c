import type { Permission, PermissionEnd, PermissionOutcome, UpdateOf } from "@harness/protocol";
import { wantedCall } from "../state/dialogs.ts";
import { truncateText } from "../text/index.ts";

/** The beginning of a long command is enough to recognise it. */
const MAX_TITLE = 60;

/** Reasons for withdrawing a request and judging its call again that the user should know. */
const withdrawn: Partial<Record<PermissionEnd, string>> = {
  mode_changed: "The mode changed:",
  rules_changed: "Rules or settings changed:",
  secret_read: "A file that may hold secrets was read:",
  files_changed: "The files changed:",
};

/** Why a request in view has ended; undefined if the user knows: a stopped turn reports that itself. */
export function permissionEndText(
  permission: Permission,
  { outcome, by, reason }: UpdateOf<"permission_resolved">,
): string | undefined {
  const what = truncateText(wantedCall(permission).replace(/\s+/g, " "), MAX_TITLE);
  if (outcome.outcome === "selected") return `Answered by ${by}: ${answerName(permission, outcome)}. It was "${what}"`;
  const why = reason && withdrawn[reason];
  return why && `${why} "${what}" is decided again.`;
}

function answerName({ options }: Permission, outcome: Extract<PermissionOutcome, { outcome: "selected" }>): string {
  const name = options.find(({ optionId }) => optionId === outcome.optionId)?.name ?? outcome.optionId;
  return outcome.feedback ? `${name}, with words for the model` : name;
}
