// Text that is cut by an ellipsis, without a hole behind it.

/**
 * Keeps an element with `text-overflow: ellipsis` as narrow as what is seen of it: the ellipsis stands where a letter ends, and
 * the rest of the room would be a hole before whatever follows. Returns what ends this.
 */
export function snug(element: HTMLElement): (() => void) | undefined {
  // A cell or header: its width does not follow the element's.
  const around = element.closest("td, th, header");
  if (around === null) return undefined;
  const observer = new ResizeObserver(() => fit(element));
  observer.observe(around);
  return () => observer.disconnect();
}

function fit(element: HTMLElement): void {
  element.style.maxWidth = "";
  if (element.scrollWidth <= element.clientWidth) return;
  const ellipsis = widthOf("…", element);
  const room = element.getBoundingClientRect().width - ellipsis;
  const range = document.createRange();
  range.setStart(element, 0);
  let [fits, tooFar] = [0, element.textContent?.length ?? 0];
  let width = 0;
  while (tooFar - fits > 1) {
    const middle = Math.floor((fits + tooFar) / 2);
    range.setEnd(...placeOf(element, middle));
    const measured = range.getBoundingClientRect().width;
    if (measured > room) {
      tooFar = middle;
    } else {
      fits = middle;
      width = measured;
    }
  }
  // A pixel for what browsers round.
  element.style.maxWidth = `${Math.ceil(width + ellipsis) + 1}px`;
}

/** Where the letter of this number stands in the element's text. */
function placeOf(element: HTMLElement, letter: number): [Node, number] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let left = letter;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0;
    if (left <= length) return [node, left];
    left -= length;
  }
  return [element, element.childNodes.length];
}

function widthOf(text: string, beside: HTMLElement): number {
  const pen = document.createElement("canvas").getContext("2d");
  if (pen === null) return 0;
  // The shorthand is empty where figures are tabular.
  const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(beside);
  pen.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
  return pen.measureText(text).width;
}
