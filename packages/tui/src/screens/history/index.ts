import type { ScreenRow } from "../screen.ts";
import { HistoryController } from "./history-controller.ts";
import { historyScope } from "./keys.ts";

export const historyScreen: ScreenRow = {
  title: "History",
  purpose: "Stored sessions: search everything said, preview, open, rename, export, delete",
  openedBy: "anywhere.history",
  view: async () => (await import("./view.tsx")).HistoryView,
  create(host) {
    const controller = new HistoryController(host);
    return {
      take: historyScope(host, controller),
      enter: () => controller.reset(),
      load: () => controller.load(),
      click: (cell) => controller.click(cell),
      notices: {
        "sessions/changed": () => {
          if (host.store.get().screen === "history") controller.refresh();
        },
      },
    };
  },
};
