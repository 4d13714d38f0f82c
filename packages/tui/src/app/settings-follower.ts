import type { SettingKey } from "@harness/protocol";
import type { InlineScreen } from "../inline/inline-screen.ts";
import type { OverlayHost } from "../overlays/overlay.ts";
import { previewedTheme } from "../overlays/themes/state.ts";
import { type Frame, type TerminalModes, wantsKeys } from "../render/index.ts";
import { frameLook } from "../render/look/frame-look.ts";
import { withPlainGlyphs } from "../render/look/plain-glyphs.ts";
import type { TranscriptView } from "../render/transcript/index.ts";
import { settingsSlice, settingValue } from "../screens/settings/state.ts";
import type { Store } from "../state/store.ts";
import { withIsolates } from "../text/isolates.ts";
import type { ThemeChoice } from "./theme-choice.ts";

type Followers = {
  env: Readonly<Record<string, string | undefined>>;
  themes: ThemeChoice;
  modes: TerminalModes;
  terminal: { inline: InlineScreen };
};

/** Follows the settings that are about the window itself. */
export function settingsFollower(
  { env, themes, modes, terminal: { inline } }: Followers,
  store: Store,
  { transcript, resized }: { transcript: TranscriptView; resized(): void },
): () => void {
  /** Full screen or inline is decided once, at the start. */
  let isSettled = false;
  return () => {
    const { settings } = settingsSlice.of(store.get());
    transcript.showThinking(settingValue(settings, "show_thinking") === true);
    if (!settings.views) return;
    themes.choose(
      previewedTheme(store.get()) ?? settingValue(settings, "theme"),
      settingValue(settings, "theme_colors"),
    );
    modes.hearMouse(settingValue(settings, "mouse"));
    modes.askForKeys({ hasKeys: wantsKeys(settingValue(settings, "keyboard_protocol"), env) });
    const goesInline = !isSettled && !inline.isEntered && settingValue(settings, "inline") === true;
    isSettled = true;
    if (!goesInline) return;
    inline.enter();
    if (store.get().screen === "home") store.dispatch({ type: "screenShown", screen: "chat" });
    resized();
  };
}

/** Gives frames the look that the settings ask for. */
export function frameLooks(store: Store): (frame: Frame) => Frame {
  let key = "";
  let look = same;
  return (frame) => {
    const isPlain = settingOf(store, "plain_glyphs") === true;
    const isIsolated = settingOf(store, "rtl_isolation") === true;
    if (key !== `${isPlain} ${isIsolated}`) {
      const plain = isPlain ? withPlainGlyphs : (text: string) => text;
      look = isPlain || isIsolated ? frameLook((text) => (isIsolated ? withIsolates(plain(text)) : plain(text))) : same;
    }
    key = `${isPlain} ${isIsolated}`;
    return look(frame);
  };
}

function same(frame: Frame): Frame {
  return frame;
}

/** For the list of themes, which tries one after another. */
export function themeInUse(store: Store): OverlayHost["theme"] {
  return {
    used: () => String(settingOf(store, "theme") ?? "auto"),
    apply(name) {
      const { settings } = settingsSlice.of(store.get());
      const views = settings.views?.map((view) => (view.key === "theme" ? { ...view, value: name } : view));
      settingsSlice.change(store, { settings: { ...settings, views } });
      return settings.views?.find(({ key }) => key === "theme")?.overriddenBy;
    },
  };
}

export function settingOf(store: Store, key: SettingKey): unknown {
  return settingValue(settingsSlice.of(store.get()).settings, key);
}

/** Whether a selection is copied as soon as it is made. */
export function copiesAtOnce(store: Store): boolean {
  return settingOf(store, "copy_on_select") !== false;
}

/** How many screens of the conversation stay in the terminal when the window closes. */
export function exitScreens(store: Store): number {
  return Number(settingOf(store, "exit_screens") ?? 0);
}
