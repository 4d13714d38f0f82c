// Letters as answers on keyboards of other scripts: the key at the place of the Latin letter counts.
import { describe, expect, it } from "vitest";
import { ask, chatWindow, permission, review, selected } from "../../test/asked-window.ts";
import { settled } from "../../test/scripted-server.ts";

/** `y`, `x` and `w`; in Hebrew W is a sign, which begins a message. */
const keyboards = { Russian: "нчц", Greek: "υχς", Hebrew: "טס" };

describe.each(Object.entries(keyboards))("a %s keyboard", (_name, letters) => {
  const [yes = "", rest = "", words] = letters;

  it("answers a permission dialog", async () => {
    const window = await chatWindow();
    const dialog = ask(window, permission);
    window.clock.advance(1000);
    window.send(yes);
    window.send("\r");
    await settled();
    expect(dialog.value).toMatchObject(selected("once"));
  });

  it("decides the changes of a review", async () => {
    const window = await chatWindow();
    const dialog = ask(window, review);
    window.clock.advance(1000);
    for (const key of [yes, "\r", rest, "\r"]) {
      window.send(key);
      window.clock.advance(1000);
    }
    await settled();
    expect(dialog.value).toMatchObject({ outcome: "selected" });
    expect(window.store.get().composer.buffer.text).toBe("");
  });

  it.runIf(words !== undefined)("opens the words of a review", async () => {
    const window = await chatWindow();
    ask(window, review);
    window.clock.advance(1000);
    for (const key of [words ?? "", "\r"]) window.send(key);
    expect(window.store.get().dialogs).toMatchObject([{ feedback: { text: "" } }]);
  });
});
