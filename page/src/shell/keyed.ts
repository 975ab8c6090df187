// Where the keyboard is: what shows its focus marks what it lies in, by which styles know it.
//
// They could say `:has(:focus-visible)`; but with a state among what `:has` looks for, a browser restyles the whole page for
// each part that a picture gets or loses.

const PLACES = ".control, .called, .all-claims, [data-means]";

/** Mark it from now on. */
export function markKeyed(): void {
  const look = () => {
    const place = document.querySelector(":focus-visible")?.closest(PLACES);
    for (const one of document.querySelectorAll("[data-keyed]")) if (one !== place) one.removeAttribute("data-keyed");
    place?.setAttribute("data-keyed", "");
  };
  for (const event of ["focusin", "focusout", "keyup"]) addEventListener(event, look);
}
