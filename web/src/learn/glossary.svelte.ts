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
  if (!asked.has(system)) {
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

/** What the glossary says about a mark. */
export function aboutMark(list: Term[], mark: string): Said[] {
  const found = list.find((term) => explains(term, mark));
  return found ? [saidOf(found)] : [];
}

/** A piece in words, then each of its numbers and states. */
export function aboutPiece(list: Term[], piece: Piece): Said[] {
  const badges = (piece.badges ?? []).map((badge): Said => {
    const found = list.find((term) => explains(term, `badge:${badge.label || 'number'}`));
    const title = `${badge.label} ${badge.value}`.trim();
    return found ? { ...saidOf(found), title: `${title}: ${found.term}` } : { title, text: badge.title };
  });
  const states = (piece.states ?? []).flatMap((state) => aboutMark(list, `state:${state}`));
  // Most pieces say their name first; it is the title already.
  const text = piece.text.startsWith(`${piece.name}, `) ? piece.text.slice(piece.name.length + 2) : piece.text;
  return [{ title: piece.name, text }, ...badges, ...states];
}

/** A text cut at the words of a glossary: every second part is a term, told once for each text. */
export function cut(list: Term[], text: string): { text: string; term?: Term }[] {
  const words = list.filter((one) => one.term.length > 2).sort((a, b) => b.term.length - a.term.length);
  if (words.length === 0) return [{ text }];
  const escape = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`\\b(${words.map((one) => escape(one.term)).join('|')})\\b`, 'gi');
  const seen = new Set<string>();
  return text.split(pattern).map((part, at) => {
    const term = at % 2 === 1 ? words.find((one) => one.term.toLowerCase() === part.toLowerCase()) : undefined;
    if (!term || seen.has(term.term)) return { text: part };
    seen.add(term.term);
    return { text: part, term };
  });
}
