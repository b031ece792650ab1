/** The properties that decide how a drawing looks, set on each element so that the file needs no style sheet. */
const PROPERTIES = [
  'fill',
  'fill-opacity',
  'fill-rule',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'color',
  'display',
  'visibility',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'text-anchor',
  'paint-order',
  'vector-effect',
];

function paint(from: Element, to: Element): void {
  const style = getComputedStyle(from);
  for (const name of PROPERTIES) {
    const value = style.getPropertyValue(name);
    if (value) to.setAttribute(name, value);
  }
  // What the style moves, the file moves by an attribute.
  if ((from as SVGElement).style?.transform) to.setAttribute('transform', style.transform);
  to.removeAttribute('style');
  to.removeAttribute('class');
  for (let at = 0; at < from.children.length; at++) paint(from.children[at]!, to.children[at]!);
}

/** A drawing on the page as the text of an SVG file that stands alone, on the colour it lies on. */
export function asFile(drawing: SVGSVGElement, title: string): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  paint(drawing, copy);
  copy.querySelectorAll('[data-volley]').forEach((one) => one.remove());
  // What serves the page is no part of the picture.
  for (const one of [copy, ...copy.querySelectorAll('*')])
    for (const name of [...one.getAttributeNames()])
      if (/^(aria-|role$|tabindex$|data-)/.test(name)) one.removeAttribute(name);
  const { width, height } = drawing.getBoundingClientRect();
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('viewBox', `0 0 ${Math.round(width)} ${Math.round(height)}`);
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  const colour = drawing.parentElement ? getComputedStyle(drawing.parentElement).backgroundColor : 'white';
  for (const [name, value] of Object.entries({ width: '100%', height: '100%', fill: colour }))
    ground.setAttribute(name, value);
  const name = document.createElementNS('http://www.w3.org/2000/svg', 'title');
  name.textContent = title;
  copy.prepend(name, ground);
  return new XMLSerializer().serializeToString(copy);
}

/** Saves text as a file. */
export function saveAs(name: string, text: string, type = 'text/plain'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
