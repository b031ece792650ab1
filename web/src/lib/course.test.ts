import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Point } from '../wire/types';
import {
  ahead,
  atSpeed,
  blankCourse,
  courseOf,
  courseText,
  courseValue,
  courseWords,
  direction,
  laid,
  lastTurn,
  parseCourse,
  reach,
  run,
  steered,
  track,
  wrongCourse,
  type CourseForm,
  type Plotted,
} from './course';

const form: CourseForm = {
  kind: 'course',
  piece: 'ajax',
  from: [0, 0],
  heading: 60,
  speeds: [14, 30],
  scale: 10,
  run: 40,
  turn: 45,
  items: [
    {
      id: 'smoke',
      label: 'Smoke',
      options: [
        { value: null, label: 'no smoke' },
        { value: true, label: 'make smoke' },
      ],
    },
    {
      id: 'lights',
      label: 'Lights',
      options: [
        { value: null, label: 'dark' },
        { value: 'one', label: 'One beam' },
        { value: 'all', label: 'All beams' },
      ],
    },
  ],
};
const typed = (text: string, now: Plotted = blankCourse(form)): Plotted => {
  const found = parseCourse(form, text, now);
  if ('wrong' in found) throw new Error(found.wrong);
  return found.course;
};

describe('the arithmetic of the rules', () => {
  it('runs a course leg by leg', () => {
    const legs = [{ ahead: 40 }, { turn: -60 }, { ahead: 100 }];
    expect(run([0, 0], 60, legs)).toEqual({
      points: [
        [0, 0],
        [35, 20],
        [35, 120],
      ],
      heading: 0,
    });
    expect(ahead([0, 0], 225, 10)).toEqual([-7, -7]);
    expect(direction(345)).toEqual(direction(-15));
  });

  it('rounds halves away from zero', () => {
    expect(ahead([0, 0], 30, 1)).toEqual([1, 1]);
    expect(ahead([0, 0], 210, 1)).toEqual([-1, -1]);
    expect(ahead([5, 5], 270, 3)).toEqual([2, 5]);
  });
});

/** The file that the tests of the rules read too. */
interface Case {
  from: Point;
  heading: number;
  run: number;
  text: string;
  orders: unknown;
  points: Point[];
  end: number;
}
const cases = JSON.parse(
  readFileSync(new URL('../../../crates/kernel/tests/courses.json', import.meta.url), 'utf8'),
) as Case[];

describe('the courses of the rules', () => {
  it.each(cases)('$text from $heading°', ({ from, heading, run, text, orders, points, end }) => {
    const like: CourseForm = { ...form, from, heading, run, speeds: [0, 40], items: [] };
    const found = parseCourse(like, text, blankCourse(like));
    if ('wrong' in found) throw new Error(found.wrong);
    expect(courseValue(like, found.course)).toMatchObject({ orders });
    expect(courseText(like, found.course)).toBe(text);
    expect(track(like, found.course)).toEqual({ points, heading: end });
  });
});

describe('what is typed', () => {
  it.each([
    ['26 s40 p30 s190 smoke', '26 s40 p30 s220 smoke', '26 knots, 30° to port after 40 mm, make smoke'],
    ['20 sb15', '20 s40 sb15 s160', '20 knots, 15° to starboard after 40 mm'],
    ['', '14 s140', '14 knots, straight ahead'],
    [
      '28 P90, LIGHTS=all-beams',
      '28 s40 p45 s40 p45 s200 lights=all-beams',
      '28 knots, 45° to port after 40 mm, 45° to port after 40 more mm, All beams',
    ],
  ])('%s', (text, canonical, words) => {
    const course = typed(text);
    expect(wrongCourse(form, course)).toBeNull();
    expect(courseText(form, course)).toBe(canonical);
    expect(courseWords(form, course)).toBe(words);
    expect(typed(canonical)).toEqual(course);
    expect(courseOf(form, courseValue(form, course))).toEqual(course);
  });

  it('keeps what is not typed', () => {
    const now = typed('26 s60 p30 smoke');
    expect(courseText(form, typed('20', now))).toBe('20 s60 p30 s140 smoke');
    expect(courseText(form, typed('no-smoke', now))).toBe('26 s60 p30 s200');
    expect(courseText(form, typed('s260', now))).toBe('26 s260 smoke');
  });

  it.each([
    ['40', 'The speed is 40; it must be from 14 to 30.'],
    ['20 s30 p15', 'The ship must run 40 straight before a turn; it has run 30.'],
    ['20 s300', 'The legs are 300 mm long; at 20 knots they are 200 mm.'],
    ['20 p20', 'A turn is 15 to 45 degrees, in steps of 15.'],
    ['20 p0', 'A turn is 15 to 45 degrees, in steps of 15.'],
    ['20 p180 p180', 'The legs are 320 mm long; at 20 knots they are 200 mm.'],
    [
      '20 x9',
      '“x9” is not part of a course. Type legs such as s40, turns such as p30 or sb30. Here also: smoke, lights=dark, lights=one-beam, lights=all-beams.',
    ],
  ])('%s is refused', (text, wrong) => {
    expect(parseCourse(form, text, blankCourse(form))).toEqual({ wrong });
  });

  it('does not take an answer that the form cannot say', () => {
    for (const value of [null, [], { speed: 20 }, { speed: 20, orders: ['ahead'] }, { speed: 20, orders: [], depth: 3 }])
      expect(courseOf(form, value)).toBeNull();
  });
});

describe('steering', () => {
  it('turns at the next legal point, wider and wider', () => {
    let course = typed('20');
    for (const text of ['20 s40 p15 s160', '20 s40 p30 s160', '20 s40 p45 s160', '20 s40 p45 s40 p15 s120']) {
      course = steered(form, course, -15);
      expect(courseText(form, course)).toBe(text);
    }
    for (const text of ['20 s40 p45 s160', '20 s40 p30 s160', '20 s40 p15 s160', '20 s200', '20 s40 sb15 s160']) {
      course = steered(form, course, 15);
      expect(courseText(form, course)).toBe(text);
    }
  });

  it('stops where there is no room for another turn', () => {
    let course = typed('14');
    for (let n = 0; n < 40; n++) course = steered(form, course, 15);
    expect(courseText(form, course)).toBe('14 s40 sb45 s40 sb45 s40 sb45 s20');
    expect(wrongCourse(form, course)).toBeNull();
  });

  it('gives up turns that a lower speed leaves no room for', () => {
    const course = typed('30 s200 p45');
    expect(courseText(form, atSpeed(form, course, 25.4))).toBe('25 s200 p45 s50');
    expect(courseText(form, atSpeed(form, course, 3))).toBe('14 s140');
    expect(atSpeed(form, course, 99).speed).toBe(30);
  });
});

describe('dragging', () => {
  it('finds every end again that it can lay', () => {
    for (const text of ['20', '20 s40 p15', '20 s90 sb45', '26 s60 p135', '30 s40 sb180']) {
      const course = typed(text);
      const end = track(form, course).points.at(-1)!;
      const found = laid(form, { ...course, turns: [] }, [], end);
      expect(wrongCourse(form, found)).toBeNull();
      const [x, y] = track(form, found).points.at(-1)!;
      expect(Math.hypot(x - end[0], y - end[1]), text).toBeLessThanOrEqual(2);
    }
  });

  it('is never further from the pointer than any other single turn', () => {
    const course = typed('22');
    for (const to of [
      [300, 10],
      [-90, -120],
      [120, 190],
      [0, 0],
    ] as [number, number][]) {
      const far = (one: Plotted) => {
        const [x, y] = track(form, one).points.at(-1)!;
        return Math.hypot(x - to[0], y - to[1]);
      };
      const found = far(laid(form, course, [], to));
      for (const text of ['22', '22 p45', '22 sb45', '22 s100 p30', '22 s100 sb90', '22 sb180', '22 p180'])
        expect(found).toBeLessThanOrEqual(far(typed(text)) + 0.1);
    }
  });

  it('keeps earlier turns and adds a further one', () => {
    const first = typed('30 s60 p45');
    const both = typed('30 s60 p45 s80 sb30');
    const found = laid(form, first, first.turns, track(form, both).points.at(-1)!);
    expect(found.turns[0]).toEqual([60, -45]);
    expect(wrongCourse(form, found)).toBeNull();
    const [[x, y], [a, b]] = [track(form, found).points.at(-1)!, track(form, both).points.at(-1)!];
    expect(Math.hypot(x - a, y - b)).toBeLessThanOrEqual(2);
    expect(lastTurn(form, typed('30 s60 p15 s40 sb90').turns)).toBe(2);
    expect(lastTurn(form, typed('30 s60 p15 s50 p15').turns)).toBe(1);
    expect(lastTurn(form, [])).toBe(0);
  });

  it('outlines what is within reach', () => {
    const outline = reach(form);
    const xs = outline.map(([x]) => x);
    expect(Math.max(...xs)).toBeGreaterThanOrEqual(260);
    expect(outline.every(([x, y]) => Math.hypot(x, y) <= 301)).toBe(true);
    expect(reach(form, 20, 20).every(([x, y]) => Math.hypot(x, y) <= 201)).toBe(true);
  });
});
