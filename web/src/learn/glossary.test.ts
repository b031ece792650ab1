import { describe, expect, it } from 'vitest';
import type { Piece, Term } from '../wire/types';
import { aboutMark, aboutPiece, cut, explains } from './glossary.svelte';

const edge: Term = { term: 'edge', text: 'How well you sit on his tail.', rule: 'C-1', marks: ['badge:E'] };
const base: Term = { term: 'in the base', text: 'Ships in port.', marks: ['box:*: in the base'] };

describe('the glossary', () => {
  it('finds a mark by its name or by a pattern', () => {
    expect(explains(base, 'box:Italy: in the base')).toBe(true);
    expect(explains(base, 'box:in the base')).toBe(false);
    expect(aboutMark([edge, base], 'badge:E')).toEqual([{ title: 'edge', text: edge.text, rule: 'C-1' }]);
    expect(aboutMark([edge], 'badge:S')).toEqual([]);
  });

  it('tells of every number on a piece, known or not', () => {
    const piece: Piece = {
      id: 'c1',
      name: 'Boelcke',
      kind: 'aircraft',
      place: { point: [0, 0] },
      text: 'Boelcke, level 4',
      badges: [
        { label: 'E', value: '+2', title: 'edge over its target' },
        { label: 'S', value: '6', title: 'speed 6' },
      ],
    };
    expect(aboutPiece([edge], piece).map((one) => one.title)).toEqual(['Boelcke', 'E +2: edge', 'S 6']);
    expect(aboutPiece([edge], piece)[0]?.text, 'the name is not said twice').toBe('level 4');
  });

  it('cuts a text at its terms, each once, and keeps every letter', () => {
    const parts = cut([edge, base], 'Edge +2: an edge is no knowledge.');
    expect(parts.map((part) => part.text).join('')).toBe('Edge +2: an edge is no knowledge.');
    expect(parts.filter((part) => part.term).length).toBe(1);
    expect(cut([], 'as it is')).toEqual([{ text: 'as it is' }]);
  });
});
