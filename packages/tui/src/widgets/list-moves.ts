import type { KeyEvent } from "../input/index.ts";
import { listKeys } from "../keymap/shared-keys.ts";
import { clampSelection } from "./list-slice.ts";

const PAGE = 10;

/** The marked row after a list key, wrapping around; undefined for other keys. */
export function listMoved(key: KeyEvent, selected: number, count: number): number | undefined {
  switch (listKeys.idOf(key)) {
    case "up":
      return count === 0 ? 0 : (selected - 1 + count) % count;
    case "down":
      return count === 0 ? 0 : (selected + 1) % count;
    case "pageUp":
      return clampSelection(selected - PAGE, count);
    case "pageDown":
      return clampSelection(selected + PAGE, count);
    case "first":
      return 0;
    case "last":
      return clampSelection(count - 1, count);
    default:
      return undefined;
  }
}
