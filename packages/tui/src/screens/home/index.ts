import { loadProviders } from "../../session/server-catalog.ts";
import type { ScreenRow } from "../screen.ts";
import { recentList } from "./keys.ts";
import { homeSlice, loadOffer, loadOverview, loadRecent, unmark } from "./state.ts";

export const homeScreen: ScreenRow = {
  title: "Home",
  purpose: "Recent sessions of this folder, the model, and what to do next",
  openedBy: "anywhere.home",
  hasInput: true,
  view: async () => (await import("./view.tsx")).HomeView,
  create(host) {
    // The folder's contents are not read before the user allows it.
    let mayRead = false;
    const load = async (): Promise<void> => {
      void loadProviders(host);
      await loadRecent(host);
      if (!mayRead) return;
      await loadOverview(host);
      await loadOffer(host);
    };
    return {
      take: host.window.typed(recentList(host)),
      enter: () => unmark(host.store),
      load: () => void load(),
      refresh() {
        mayRead = true;
        if (host.store.get().screen === "home") void load();
      },
      notices: {
        "providers/waiting": ({ servers }) => homeSlice.change(host.store, { waiting: servers }),
        "sessions/changed": () => {
          if (host.store.get().screen === "home") void loadRecent(host);
        },
      },
    };
  },
};
