import { describe, expect, it } from 'vitest';
import type { Form, FormPlace, Point, Region, SeatQuestion } from '../wire/types';
import { aims, blank, draggable, draftOf, make, placeInHand, touchable, wayOf, type Draft } from './answer';
import { circleOf, course, filled, inside, onCourse, partsOf, regionWords, snapped } from './parts';

type Parts = Extract<Draft, { kind: 'parts' }>;

function place(id: string, more: Partial<FormPlace> = {}): FormPlace {
  const piece = { id, name: id, kind: 'card', place: { point: [10, 20] as [number, number] }, text: id };
  return { id, label: id, piece, regions: [], origin: null, optional: false, ...more };
}

const form: Form = {
  kind: 'parts',
  places: [
    place('a', { regions: [{ kind: 'line', from: [0, 0], to: [100, 0] }] }),
    place('b', { optional: true, origin: [10, 20] }),
  ],
  items: [
    {
      id: 'r1',
      label: 'r1',
      options: [
        { value: 'x', label: 'X', pieces: ['x'] },
        { value: 'y', label: 'Y', pieces: ['y'] },
      ],
    },
    {
      id: 'search',
      label: 'search',
      options: [
        { value: null, label: 'no search' },
        { value: { by: 'r1' }, label: 'r1 looks', pieces: ['z'] },
      ],
    },
  ],
  template: { a: '$a', to: { b: '$b' }, fights: { r1: '$r1' }, search: '$search' },
};
const question: SeatQuestion = { seat: 0, prompt: { code: 'x', text: 'x', confirm: false }, options: [], form };

describe('parts of an answer', () => {
  it('are required, then fill the template; a part left out removes its entry', () => {
    const draft = blank(form, []) as Parts;
    expect(draft).toEqual({ kind: 'parts', places: { a: [10, 20], b: null }, chosen: { r1: null, search: 0 } });
    expect(make(form, [], draft)).toEqual({ wants: 'a: on the marked line.' });
    draft.places.a = [7, 0];
    expect(make(form, [], draft)).toEqual({ wants: 'Still to choose: r1.' });
    draft.chosen.r1 = 1;
    expect(make(form, [], draft)).toEqual({ value: { a: [7, 0], to: {}, fights: { r1: 'y' } } });
    draft.places.b = [13, 24];
    draft.chosen.search = 1;
    expect(make(form, [], draft)).toEqual({
      value: { a: [7, 0], to: { b: [3, 4] }, fights: { r1: 'y' }, search: { by: 'r1' } },
    });
  });

  it('are found again in a ready answer', () => {
    expect(draftOf(form, [], { a: [7, 0], to: { b: [3, 4] }, fights: { r1: 'y' } })).toEqual({
      kind: 'parts',
      places: { a: [7, 0], b: [13, 24] },
      chosen: { r1: 1, search: 0 },
    });
    expect(draftOf(form, [], { to: {}, fights: { r1: 'y' } })).toBeNull();
    expect(draftOf(form, [], { a: [7, 0], to: {}, fights: { r1: 'z' } })).toBeNull();
    expect(draftOf(form, [], { a: [7, 0], to: {}, fights: {} })).toBeNull();
    expect(draftOf(form, [], { a: [7, 0], to: {}, fights: { r1: 'y' }, more: 1 })).toBeNull();
  });

  it('of a list are told by what fits', () => {
    const fits = (id: string, value: unknown) => id === value;
    expect(partsOf(['b1', '$b2', '$b3'], ['b1', 'b3'], fits)).toEqual({ b3: 'b3' });
    expect(partsOf(['b1', '$b2', '$b3'], ['b1', 'b4'], fits)).toBeNull();
    expect(filled(['b1', '$b2', '$b3'], (id) => (id === 'b2' ? null : id))).toEqual(['b1', 'b3']);
    expect(filled({ kept: null, gone: '$x' }, () => null)).toEqual({ kept: null });
  });

  it('go with a path', () => {
    const path: Form = {
      kind: 'points',
      piece: 'b1',
      max: 3,
      reach: 9,
      items: [
        {
          id: 'b2',
          label: 'b2',
          options: [
            { value: null, label: 'stays' },
            { value: 'b2', label: 'comes' },
          ],
        },
      ],
      template: { who: ['b1', '$b2'], path: '$points' },
    };
    const draft = draftOf(path, [], {
      who: ['b1', 'b2'],
      path: [
        [1, 2],
        [3, 4],
      ],
    });
    expect(draft).toEqual({
      kind: 'points',
      points: [
        [1, 2],
        [3, 4],
      ],
      chosen: { b2: 1 },
    });
    expect(make(path, [], draft!)).toEqual({
      value: {
        who: ['b1', 'b2'],
        path: [
          [1, 2],
          [3, 4],
        ],
      },
    });
    expect(make(path, [], { kind: 'points', points: [[1, 2]], chosen: { b2: 0 } })).toEqual({
      value: { who: ['b1'], path: [[1, 2]] },
    });
    expect(draftOf(path, [], { who: ['b1'], path: [] })).toBeNull();
  });

  it('are touched and dragged on the board', () => {
    const draft = blank(form, []) as Parts;
    expect([...touchable(question, draft, null).sources]).toEqual(['a', 'b', 'r1', 'search']);
    expect([...touchable(question, draft, null).targets]).toEqual(['z']);
    expect([...touchable(question, draft, 'r1').targets]).toEqual(['x', 'y', 'z']);
    expect([...draggable(question, draft)]).toEqual(['a', 'b', 'r1', 'search']);
    expect(aims(question, { ...draft, chosen: { r1: 0, search: 0 } })).toEqual([{ from: 'r1', to: 'x', label: 'X' }]);
    expect(placeInHand(form.places, draft, null)?.id).toBe('b');
    expect(placeInHand(form.places, draft, 'a')?.id).toBe('a');
    const ways: Form = {
      kind: 'choices',
      ways: [
        ['list', { kind: 'pick' }],
        ['parts', form],
      ],
    };
    expect(wayOf(ways, blank(ways, []), 'b')).toMatchObject({ way: 1 });
  });
});

describe('regions', () => {
  const line: Region = { kind: 'line', from: [0, 500], to: [900, 500] };
  const ring: Region = { kind: 'around', middle: [100, 100], size: [0, 0], least: 3000, most: 3000 };
  const card: Region = { kind: 'around', middle: [1000, 1000], size: [700, 1000], least: 0, most: 300 };
  const band: Region = { kind: 'around', middle: [1000, 1000], size: [700, 1000], least: 5990, most: 6000 };

  it('take the nearest point', () => {
    expect(snapped([line], [400, 9000])).toEqual([400, 500]);
    expect(snapped([line], [-50, 0])).toEqual([0, 500]);
    expect(snapped([card], [1200, 1100])).toEqual([1200, 1100]);
    expect(snapped([card], [1000, 9000])).toEqual([1000, 1800]);
    expect(snapped([], [1.4, 2.6])).toEqual([1, 3]);
    expect(snapped([line, card], [1000, 9000])).toEqual([1000, 1800]);
  });

  it('hold every point that is snapped to them, all round and from within', () => {
    for (const region of [line, ring, card, band])
      for (let at = 0; at < 360; at += 1) {
        for (const far of [0, 3, 2000, 20_000]) {
          const point: Point = [100 + Math.sin(at) * far, 100 + Math.cos(at) * far];
          const found = snapped([region], point);
          expect(inside([region], found), `${region.kind} ${at} ${far} ${found}`).toBe(true);
          expect(found.every(Number.isInteger)).toBe(true);
        }
      }
  });

  it('are told in words, and circles by a course', () => {
    expect([line, ring, card, band].map(regionWords)).toEqual([
      'on the marked line',
      'exactly 3 lengths from the marked point',
      'within 0.3 lengths of the edge of the card',
      'about 6 lengths from the edge of the card',
    ]);
    expect(circleOf([card])).toBeNull();
    const circle = circleOf([ring])!;
    for (const degrees of [0, 45, 90, 200, 359])
      expect(course(circle.middle, snapped([ring], onCourse(circle, degrees)))).toBe(degrees);
    expect(snapped([ring], onCourse(circle, 90))).toEqual([3100, 100]);
  });
});
