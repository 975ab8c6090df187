// What can be turned: a slider for the hand, a field for typed values with their units.

import type { Control } from "./api";
import { element } from "./dom";
import { format } from "./quantity";
import type { Shown } from "./state";

const STEPS = 1000;
const DECADES = 100;

export interface Knob {
  control: Control;
  row: HTMLElement;
  /** Show what it stands at: text with units where it was turned, else where its mode starts. */
  show(text: string | undefined, shown: Shown): void;
  refuse(message: string): void;
}

export function knob(control: Control, turn: (text: string | null, isFinal: boolean) => void): Knob {
  const id = `control-${control.name}`;
  const slider = element("input", {
    type: "range",
    id: `${id}-slider`,
    min: 0,
    max: STEPS,
    step: 1,
    "aria-label": `${control.name}: ${control.meaning}`,
  });
  const field = element("input", { type: "text", id, spellcheck: "false", autocomplete: "off" });
  const back = element("button", { type: "button", hidden: true, "aria-label": `${control.name}: back to where it starts` }, "back");
  const starts = element("span", {}, startsOf(control));
  const row = element(
    "div",
    { class: "control" },
    element("label", { for: id }, control.name.replaceAll("_", " ")),
    field,
    slider,
    element("div", { class: "starts" }, starts, back),
  );
  row.title = control.meaning;

  const said = () => slider.setAttribute("aria-valuetext", field.value);
  slider.addEventListener("input", () => {
    field.value = textAt(control, Number(slider.value));
    said();
    turn(field.value, false);
  });
  slider.addEventListener("change", () => turn(field.value, true));
  field.addEventListener("change", () => turn(field.value.trim() || null, true));
  back.addEventListener("click", () => {
    turn(null, true);
    slider.focus();
  });
  return {
    control,
    row,
    show(text, shown) {
      const start = shown === "careful" ? control.careful : control.lecture;
      field.value = text ?? (start === null ? "" : format(start, control.dimension));
      field.removeAttribute("aria-invalid");
      back.hidden = text === undefined;
      said();
    },
    refuse(message) {
      field.setAttribute("aria-invalid", "true");
      field.setAttribute("aria-errormessage", "problem");
      field.title = message;
    },
  };
}

/** Where the slider stands for a value in base units. */
export function standAt(knob: Knob, value: number): void {
  const slider = knob.row.querySelector<HTMLInputElement>("input[type=range]")!;
  const { low, high } = knob.control;
  const part = isLogarithmic(knob.control) ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  slider.value = String(Math.round(Math.min(1, Math.max(0, part)) * STEPS));
}

function textAt(control: Control, step: number): string {
  const { low, high, dimension } = control;
  // The ends exactly: a rounded one could lie outside.
  if (step === 0) return format(low, dimension, 6);
  if (step === STEPS) return format(high, dimension, 6);
  const part = step / STEPS;
  const value = isLogarithmic(control) ? low * (high / low) ** part : low + (high - low) * part;
  const near = control.is_whole ? Math.round(value) : Number(value.toPrecision(3));
  return format(Math.min(high, Math.max(low, near)), dimension, 6);
}

function isLogarithmic({ low, high }: Control): boolean {
  return low > 0 && high / low >= DECADES;
}

function startsOf(control: Control): string {
  const [lecture, careful] = [control.lecture, control.careful].map((start) =>
    start === null ? "not known" : format(start, control.dimension),
  );
  return lecture === careful ? `lecture and careful ${lecture}` : `lecture ${lecture} · careful ${careful}`;
}
