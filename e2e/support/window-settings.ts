import type { SettingKey } from "@harness/protocol";

/** Settings that only affect the window, each with its default and another value. */
export const windowSettings = {
  editor_mode: ["normal", "vim"],
  editor: ["", "nvim"],
  enter_while_running: ["steer", "queue"],
  theme: ["auto", "nord"],
  theme_colors: [[], ["accent=#ff8800"]],
  inline: [false, true],
  line_mode: [false, true],
  mouse: ["full", "off"],
  copy_on_select: [true, false],
  wheel_rows: [3, 5],
  exit_screens: [0, 2],
  show_thinking: [false, true],
  hud_hide: [[], ["cost"]],
  statusline: ["", "echo x"],
  notifications: ["auto", "off"],
  notify_after_secs: [20, 5],
  window_title: [true, false],
  terminal_progress: [true, false],
  animations: [true, false],
  plain_glyphs: [false, true],
  rtl_isolation: [false, true],
  keyboard_protocol: ["auto", "off"],
} as const satisfies Partial<Record<SettingKey, readonly [before: unknown, after: unknown]>>;
