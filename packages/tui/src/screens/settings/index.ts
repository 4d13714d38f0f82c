import type { ScreenRow } from "../screen.ts";
import { CredentialController } from "./credential-controller.ts";
import { settingsScope } from "./keys.ts";
import { SettingsController } from "./settings-controller.ts";

export const settingsScreen: ScreenRow = {
  title: "Settings",
  purpose: "Every setting with its value, where it comes from and its default",
  openedBy: "anywhere.settings",
  view: async () => (await import("./view.tsx")).SettingsView,
  create(host) {
    const settings = new SettingsController(host);
    const credentials = new CredentialController(host);
    return {
      take: settingsScope(host, settings, credentials),
      enter: () => credentials.reset(),
      load() {
        void settings.load();
        void credentials.load();
      },
      refresh: () => void settings.reportProblems(),
      notices: {
        "settings/changed": () => void settings.changed(),
        "auth/login_update": (update) => credentials.loginEnded(update),
      },
    };
  },
};
