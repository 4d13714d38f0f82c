import { type PermissionDialog, readingEndKey } from "../../state/dialogs.ts";
import type { DialogRow } from "../dialog.ts";
import { confirmMarked, isPermissionAnswer, takePermissionKey, takesWords } from "./permission-keys.ts";
import { permissionLayout, takesAllRows } from "./permission-layout.ts";
import { permissionRows } from "./permission-rows.ts";

export const permission: DialogRow<PermissionDialog> = {
  rows: permissionRows,
  takesAllRows,
  confirm: confirmMarked,
  takesWords,
  take: takePermissionKey,
  isAnswer: isPermissionAnswer,
  scrolls: (dialog, place) => permissionLayout(dialog, place).maxScroll > 0,
  hasField: ({ feedback }) => feedback !== undefined,
  endInView: (dialog, place) => (permissionLayout(dialog, place).isRead ? readingEndKey(dialog) : undefined),
};
