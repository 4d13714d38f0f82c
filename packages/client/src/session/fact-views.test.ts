import { updateViewContract } from "@harness/testkit";
import { CallOutcomes } from "./call-outcomes.ts";
import { TurnWait } from "./turn-wait.ts";

/** Lets everything continue that waits for what a fact has resolved. */
const settled = (): Promise<void> => Promise.resolve();

updateViewContract({
  name: "the outcomes of calls",
  open() {
    const view = new CallOutcomes();
    const outcomes: string[] = [];
    for (const id of ["c1", "c2", "c3"]) void view.of(id, undefined).then(({ text }) => outcomes.push(`${id} ${text}`));
    return { view, kept: async () => settled().then(() => [...outcomes]) };
  },
});

updateViewContract({
  name: "the end of a turn",
  open() {
    const view = new TurnWait();
    let isOver = false;
    void view.run(() => Promise.resolve(true));
    void view.running?.ended.then(() => {
      isOver = true;
    });
    return { view, kept: async () => settled().then(() => isOver) };
  },
});
