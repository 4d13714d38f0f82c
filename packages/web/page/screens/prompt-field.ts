import { element } from "../dom.ts";

/**
 * The field for a message. `send` tells the person why it fails. Enter sends where there is a keyboard; on a touch screen
 * it begins a line.
 */
export function promptField(placeholder: string, send: (text: string) => Promise<void>): HTMLFormElement {
  const field = element("textarea", {
    rows: "3",
    placeholder,
    "aria-label": "Message",
    keydown: (event) => {
      const { key, shiftKey, isComposing } = event as KeyboardEvent;
      if (key !== "Enter" || shiftKey || isComposing || matchMedia("(pointer: coarse)").matches) return;
      event.preventDefault();
      form.requestSubmit();
    },
  });
  const form = element(
    "form",
    {
      class: "prompt",
      submit: (event) => {
        event.preventDefault();
        const text = field.value;
        if (text.trim() === "") return;
        field.value = "";
        send(text).catch(() => {
          // Not lost: it can be sent again.
          field.value = field.value === "" ? text : `${text}\n${field.value}`;
        });
      },
    },
    field,
    element("button", { class: "yes", type: "submit" }, "Send"),
  );
  return form;
}
