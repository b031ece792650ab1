import { api } from '../lib/api';
import type { Piece, Term } from '../wire/types';

/** What is said about a mark, a piece or a word. */
export interface Said {
  title: string;
  text: string;
  rule?: string | undefined;
}

const known = $state<Record<string, Term[]>>({});
const asked = new Set<string>();

/** The glossary of a system; empty until it has arrived. */
export function terms(system: string): Term[] {
  if (system !== '' && !asked.has(system)) {
    asked.add(system);
    api.glossary(system).then(
      (found) => (known[system] = found),
      () => asked.delete(system),
    );
  }
  return known[system] ?? [];
}

/** Whether a term explains a mark such as `badge:AA`; `*` in a pattern stands for any text. */
export function explains(term: Term, mark: string): boolean {
  return (term.marks ?? []).some((pattern) => {
    const at = pattern.indexOf('*');
    if (at < 0) return pattern === mark;
    const [before, after] = [pattern.slice(0, at), pattern.slice(at + 1)];
    return mark.length >= before.length + after.length && mark.startsWith(before) && mark.endsWith(after);
  });
}

const saidOf = (term: Term, title = term.term): Said => ({ title, text: term.text, rule: term.rule });

/** What the glossary says about marks, a line for each. */
export function aboutMark(list: Term[], marks: string): Said[] {
  const found = marks.split('\n').flatMap((mark) => list.find((term) => explains(term, mark)) ?? []);
  return [...new Set(found)].map((term) => saidOf(term));
}

/** A piece in words, then what it is, and each of its numbers and states. */
export function aboutPiece(list: Term[], piece: Piece): Said[] {
  const badges = (piece.badges ?? []).map((badge): Said => {
    const found = list.find((term) => explains(term, `badge:${badge.label || 'number'}`));
    const title = `${badge.label} ${badge.value}`.trim();
    return found ? { ...saidOf(found), title: `${title}: ${found.term}` } : { title, text: badge.title };
  });
  const states = (piece.states ?? []).flatMap((state) => aboutMark(list, `state:${state}`));
  // Most pieces say their name first; it is the title already.
  const text = piece.text.startsWith(`${piece.name}, `) ? piece.text.slice(piece.name.length + 2) : piece.text;
  const kind = aboutMark(list, `piece:${piece.kind}`);
  return [{ title: piece.name, text }, ...kind, ...badges, ...states];
}

/** Headings that are everyday words in a sentence. */
const EVERYDAY = new Set(
  'all,where,state,side,set,room,out,away,target,clear,size,in the air,ready,base,box,acted,active,aircraft'.split(','),
);
/** A term with a capital is found only with it: “Points” is a heading, “points” is not. */
const isWord = ({ term }: Term, text: string) =>
  term === term.toLowerCase() ? term === text.toLowerCase() : term === text;

const patterns = new WeakMap<Term[], { words: Term[]; pattern: RegExp }>();
/** The words of a glossary, and what finds them in a text. */
function wordsOf(list: Term[]): { words: Term[]; pattern: RegExp } {
  const known = patterns.get(list);
  if (known) return known;
  const words = list
    .filter(({ term }) => term.length > 2 && !EVERYDAY.has(term.toLowerCase()))
    .sort((a, b) => b.term.length - a.term.length);
  const escape = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`\\b(${words.map((one) => escape(one.term)).join('|')})\\b`, 'gi');
  patterns.set(list, { words, pattern });
  return { words, pattern };
}

/** A text cut at the words of a glossary: every second part is a term, told once for each text. */
export function cut(list: Term[], text: string): { text: string; term?: Term }[] {
  const { words, pattern } = wordsOf(list);
  if (words.length === 0) return [{ text }];
  const seen = new Set<string>();
  return text.split(pattern).map((part, at) => {
    const term = at % 2 === 1 ? words.find((one) => isWord(one, part)) : undefined;
    if (!term || seen.has(term.term)) return { text: part };
    seen.add(term.term);
    return { text: part, term };
  });
}
