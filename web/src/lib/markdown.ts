import MarkdownIt from 'markdown-it';

/** A section of a rules page: everything under one heading. */
export interface Section {
  id: string;
  level: number;
  title: string;
  html: string;
  /** The section as plain text, for searching. */
  text: string;
  /** The rules with an anchor in it. */
  anchors: string[];
}

const ANCHOR = /^<a id="([A-Za-z0-9_.-]{1,64})"><\/a>/;

/** Escapes HTML in the text, except anchors such as `<a id="R-12"></a>`. */
function renderer(): MarkdownIt {
  const md = new MarkdownIt({ html: false, linkify: false, typographer: true });
  md.inline.ruler.before('html_inline', 'anchor', (state, silent) => {
    const match = ANCHOR.exec(state.src.slice(state.pos));
    if (!match) return false;
    if (!silent) {
      const token = state.push('anchor', '', 0);
      token.content = match[1]!;
    }
    state.pos += match[0].length;
    return true;
  });
  md.renderer.rules.anchor = (tokens, at) =>
    `<span class="anchor" id="rule-${md.utils.escapeHtml(tokens[at]!.content)}"></span>`;
  // A wide table scrolls, by keys too.
  md.renderer.rules.table_open = (tokens, at, _options, env: Counted) => {
    const end = tokens.findIndex((token, n) => n > at && token.type === 'thead_close');
    const heads = tokens.slice(at, end).flatMap((token) => (token.type === 'inline' && token.content) || []);
    env.tables = (env.tables ?? 0) + 1;
    const name = `Table ${env.tables}: ${heads.join(', ').replace(/[*_`]/g, '')}`;
    return `<div class="scroll" tabindex="0" role="region" aria-label="${md.utils.escapeHtml(name)}"><table>`;
  };
  // An empty corner heads nothing.
  md.renderer.rules.th_open = (tokens, at, options, _env, self) =>
    tokens[at + 1]?.content ? self.renderToken(tokens, at, options) : '<td>';
  md.renderer.rules.th_close = (tokens, at) => (tokens[at - 1]?.content ? '</th>' : '</td>');
  md.renderer.rules.table_close = () => '</table></div>';
  // Only links to other rules pages are allowed; all others would leave the program.
  md.validateLink = (url) => /^#/.test(url);
  return md;
}

/** How many tables of a page have been drawn. */
interface Counted {
  tables?: number;
}

/** An id from the words of a heading. */
function slug(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Renders a rules page as sections. */
export function sections(markdown: string): Section[] {
  const counted: Counted = {};
  const md = renderer();
  const tokens = md.parse(markdown, {});
  const out: Section[] = [];
  const used = new Set<string>();
  let open: { id: string; level: number; title: string; from: number } | null = null;
  const anchorsIn = (from: number, to: number) =>
    tokens
      .slice(from, to)
      .flatMap((token) =>
        (token.children ?? []).filter((child) => child.type === 'anchor').map((child) => child.content),
      );
  const textIn = (from: number, to: number) =>
    tokens
      .slice(from, to)
      .flatMap((token) =>
        token.children
          ? token.children.map((child) => (child.type === 'text' || child.type === 'code_inline' ? child.content : ' '))
          : [token.type === 'fence' || token.type === 'code_block' ? token.content : ' '],
      )
      .join('')
      .replace(/\s+/g, ' ')
      .trim();
  const close = (to: number) => {
    if (!open) return;
    out.push({
      ...open,
      html: md.renderer.render(tokens.slice(open.from, to), md.options, counted),
      text: textIn(open.from, to),
      anchors: anchorsIn(open.from, to),
    });
  };
  if (tokens[0] && tokens[0].type !== 'heading_open') open = { id: 'top', level: 1, title: '', from: 0 };
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'heading_open' || token.level !== 0) continue;
    close(at);
    const title = textIn(at + 1, at + 2);
    // A heading such as "R-12 …" has the rule as its id.
    const rule = /^([A-Z]+-\d+[a-z]?)\b/.exec(title)?.[1];
    let id = rule ?? slug(title);
    for (let n = 2; used.has(id); n++) id = `${rule ?? slug(title)}-${n}`;
    used.add(id);
    open = { id, level: Number(token.tag.slice(1)), title, from: at };
  }
  close(tokens.length);
  return out;
}

/** The sections that contain every word of a search. */
export function search(list: Section[], words: string): Section[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return list.filter((section) =>
    wanted.every(
      (word) =>
        section.text.toLowerCase().includes(word) || section.anchors.some((anchor) => anchor.toLowerCase() === word),
    ),
  );
}

/** The section of a rule. */
export function sectionOf(list: Section[], rule: string): Section | undefined {
  return (
    list.find((section) => section.anchors.includes(rule)) ??
    list.find((section) => section.id === rule || section.id === slug(rule))
  );
}
