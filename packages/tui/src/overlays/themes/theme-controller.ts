import { errorText } from "@harness/client";
import { themeNames } from "@harness/protocol/choices";
import { themeKeys } from "../../keymap/overlay-keys.ts";
import type { KeyScope } from "../../keymap/scope.ts";
import { listKeys } from "../../keymap/shared-keys.ts";
import { DrawingCode } from "../../text/markdown/drawing-code.ts";
import { listMoved } from "../../widgets/list-moves.ts";
import type { OverlayHost } from "../overlay.ts";
import { type ThemePicker, themePicker } from "./state.ts";

/** Tries themes on the whole window: the marked one is in use until the list is closed, and then if it was chosen. */
export class ThemeController {
  readonly #host: OverlayHost;

  constructor(host: OverlayHost) {
    this.#host = host;
  }

  open(): void {
    const { store } = this.#host;
    const names: readonly string[] = themeNames;
    const before = this.#host.theme.used();
    const code = new DrawingCode(() => {
      const picker = themePicker.of(store.get());
      if (picker) this.#show({ ...picker, generation: code.generation });
    });
    this.#show({ kind: "themes", selected: Math.max(0, names.indexOf(before)), before, code, generation: 0 });
  }

  readonly take: KeyScope = (event) => {
    const picker = themePicker.of(this.#host.store.get());
    if (!picker) return false;
    if (event.type === "wheel") this.#mark(picker, picker.selected + event.direction);
    if (event.type !== "key") return true;
    const moved = listMoved(event, picker.selected, themeNames.length);
    if (moved !== undefined) this.#mark(picker, moved);
    else if (themeKeys.idOf(event) === "keep") void this.#keep(picker);
    else if (listKeys.idOf(event) === "close") this.#show(undefined);
    return true;
  };

  #mark(picker: ThemePicker, selected: number): void {
    this.#show({ ...picker, selected: Math.max(0, Math.min(themeNames.length - 1, selected)) });
  }

  async #keep({ selected, before }: ThemePicker): Promise<void> {
    const { store, server, theme } = this.#host;
    const name = themeNames[selected] ?? "auto";
    // In use at once: the list must not close on the old colours.
    const overridden = theme.apply(name);
    this.#show(undefined);
    if (name === before) return;
    try {
      await server.call("settings/set", { edits: [{ key: "theme", value: name }] });
      if (overridden) store.note("warning", `The theme ${name} is saved, but ${overridden} takes precedence over it.`);
    } catch (error) {
      theme.apply(before);
      store.note("error", `The theme could not be saved: ${errorText(error)}`);
    }
  }

  #show(overlay: ThemePicker | undefined): void {
    this.#host.store.set({ overlay });
  }
}
