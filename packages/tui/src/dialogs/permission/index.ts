import { type PermissionDialog, readingEndKey } from "../../state/dialogs.ts";
import type { DialogRow } from "../dialog.ts";
import { afterPause, confirmMarked, isPermissionAnswer, takePermissionKey, takesWords } from "./permission-keys.ts";
import { permissionLayout, takesAllRows } from "./permission-layout.ts";
import { permissionRows } from "./permission-rows.ts";

export const permission: DialogRow<PermissionDialog> = {
  rows: permissionRows,
  takesAllRows,
  afterPause,
  confirm: confirmMarked,
  takesWords,
  take: takePermissionKey,
  isAnswer: isPermissionAnswer,
  hasField: ({ feedback }) => feedback !== undefined,
  endInView: (dialog, place) => (permissionLayout(dialog, place).hidden === 0 ? readingEndKey(dialog) : undefined),
};
