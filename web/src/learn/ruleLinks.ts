import { parseHash } from '../lib/route';

/** Hands clicks on links to rules to the page, so that a rule opens beside the board instead of in another tab. */
export function ruleLinks(node: HTMLElement, open: (rule: string) => void): { destroy: () => void } {
  const click = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !(event.target instanceof Element)) return;
    const link = event.target.closest<HTMLAnchorElement>('a[href^="#/rules/"]');
    const rule = link ? parseHash(link.getAttribute('href') ?? '').path[2] : undefined;
    if (!rule || link?.closest('[data-rules]')) return;
    event.preventDefault();
    open(rule);
  };
  node.addEventListener('click', click);
  return { destroy: () => node.removeEventListener('click', click) };
}
