import { factViewContract } from "@harness/testkit";
import { TalkHistory } from "./markdown/talk-history.ts";

factViewContract({
  name: "the messages that have files",
  open() {
    const view = new TalkHistory();
    return { view, kept: () => ({ entries: view.entries, hidden: [...view.hidden], awaited: view.awaited }) };
  },
});
