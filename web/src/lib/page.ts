import { settings } from './settings.svelte';

/** Whether a key presses the element that has the focus, as a click would; Ctrl and Enter give the answer instead. */
export const presses = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  (key === 'Enter' || key === ' ') && !ctrlKey && !metaKey;

/** Handles the keys of something on the board that is chosen like a button. */
export function pressed(event: KeyboardEvent, act: () => void): void {
  if (!presses(event)) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

/** Copies text; false if the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export const scrollBehavior = (): ScrollBehavior => (settings.animate ? 'smooth' : 'auto');

/** Scrolls to a result that would otherwise begin at the bottom of the window or below. */
export function reveal(element: HTMLElement | undefined): void {
  const top = element?.getBoundingClientRect().top ?? 0;
  if (top > window.innerHeight * 0.7) element?.scrollIntoView({ behavior: scrollBehavior() });
}

/** Scrolls the place that an element is in, and nothing around it, so that the page stays where it is. */
export function scrollWithin(element: Element | undefined, block: 'start' | 'middle' | 'nearest'): void {
  let box = element?.parentElement;
  while (box && !(box.scrollHeight > box.clientHeight && /auto|scroll/.test(getComputedStyle(box).overflowY)))
    box = box.parentElement;
  if (!element || !box || box === document.documentElement || box === document.body) return;
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  const seen = inner.top >= outer.top && inner.bottom <= outer.bottom;
  if (block === 'nearest' && seen) return;
  const above = block === 'middle' ? (box.clientHeight - inner.height) / 2 : 8;
  box.scrollTo({ top: box.scrollTop + inner.top - outer.top - above, behavior: scrollBehavior() });
}

/** Whether a new question may take the focus: nothing has it, or the previous question does. */
export function mayTakeFocus(): boolean {
  const focused = document.activeElement;
  return !focused || focused === document.body || focused.closest('.ask') !== null;
}
