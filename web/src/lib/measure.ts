let pen: CanvasRenderingContext2D | null | undefined;
const known = new Map<string, number>();

/** How wide a text is on the screen in a font of the page, in pixels; about as wide where nothing can be drawn. */
export function textWidth(text: string, weight: number, size: number): number {
  if (typeof document === 'undefined') return text.length * size * 0.6;
  const key = `${weight} ${size} ${text}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  pen ??= document.createElement('canvas').getContext('2d');
  const family = getComputedStyle(document.documentElement).getPropertyValue('--sans') || 'sans-serif';
  if (!pen) return text.length * size * 0.6;
  pen.font = `${weight} ${size}px ${family}`;
  const width = pen.measureText(text).width;
  if (known.size > 2000) known.clear();
  known.set(key, width);
  return width;
}
