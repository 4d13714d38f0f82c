/** Every screen: what it is called, the key that opens it and what it is for. Its component is in `screens/index.tsx`. */
export const screenRows = {
  home: { title: "Home", key: "Esc", purpose: "Recent sessions of this folder, the model, and what to do next" },
  chat: { title: "Chat", key: "Enter", purpose: "The conversation: transcript, permissions, composer" },
  settings: {
    title: "Settings",
    key: "Ctrl+S",
    purpose: "Every setting with its value, where it comes from and its default",
  },
  history: { title: "History", key: "Ctrl+G", purpose: "Stored sessions: filter, preview, resume, rename, delete" },
} as const satisfies Record<string, { title: string; key: string; purpose: string }>;

export type ScreenId = keyof typeof screenRows;
