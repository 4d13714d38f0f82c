import type { KeyScope } from "../keymap/scope.ts";
import { inputKeys, pictureKeys } from "../keymap/shared-keys.ts";
import { attachments } from "../state/attachments.ts";
import { pasteText, searchEnded } from "../state/composer.ts";
import type { Store } from "../state/store.ts";
import { droppedPictures } from "./dropped-paths.ts";
import type { PictureController } from "./picture-controller.ts";

/** Pictures pasted or dropped into the input, and Backspace in the empty input, which removes the last one. */
export function pictureScope(store: Store, pictures: PictureController): KeyScope {
  return (event) => {
    const { composer, slices } = store.get();
    if (event.type === "paste") {
      const paths = droppedPictures(event.text);
      if (!paths) return false;
      void pictures.addDropped(paths, () => {
        store.set({ composer: pasteText(searchEnded(store.get().composer, { take: true }), event.text) });
      });
      return true;
    }
    if (pictureKeys.idOf(event) === "pasteImage") {
      void pictures.paste();
      return true;
    }
    const { length } = attachments.of({ slices }).pictures;
    const isRemoval = inputKeys.idOf(event) === "deleteBack" && composer.buffer.isEmpty && !composer.search;
    return isRemoval && pictures.drop(length);
  };
}
