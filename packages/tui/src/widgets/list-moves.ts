import type { KeyEvent } from "../input/index.ts";
import { listKeys } from "../keymap/shared-keys.ts";
import { within } from "./list-slice.ts";

const PAGE = 10;

/** The marked row after a list key, wrapping around; undefined for other keys. */
export function listMoved(key: KeyEvent, selected: number, count: number): number | undefined {
  switch (listKeys.idOf(key)) {
    case "up":
      return count === 0 ? 0 : (selected - 1 + count) % count;
    case "down":
      return count === 0 ? 0 : (selected + 1) % count;
    case "pageUp":
      return within(selected - PAGE, count);
    case "pageDown":
      return within(selected + PAGE, count);
    case "first":
      return 0;
    case "last":
      return within(count - 1, count);
    default:
      return undefined;
  }
}
