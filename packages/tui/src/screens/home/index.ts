import { aboveInput } from "../../composer/above-input.ts";
import { loadProviders } from "../../session/server-catalog.ts";
import type { ScreenRow } from "../screen.ts";
import { homeKeys, recentList } from "./keys.ts";
import { homeSlice, loadRecent, unmark } from "./state.ts";

export const home: ScreenRow = {
  title: "Home",
  purpose: "Recent sessions of this folder, the model, and what to do next",
  reachedBy: "Esc",
  aboveInput,
  keys: [homeKeys],
  view: async () => (await import("./view.tsx")).Home,
  create(host) {
    const load = (): void => {
      void loadRecent(host);
      void loadProviders(host);
    };
    return {
      take: host.window.conversation(recentList(host)),
      enter: () => unmark(host.store),
      load,
      notices: {
        "providers/waiting": ({ servers }) => homeSlice.change(host.store, { waiting: servers }),
        "sessions/changed": () => {
          if (host.store.get().screen === "home") load();
        },
      },
    };
  },
};
