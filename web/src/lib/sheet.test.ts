import { describe, expect, it } from 'vitest';
import { question, scene } from '../fixture/sea';
import type { FormPart, Json } from '../wire/types';
import { blank, draftOf, make } from './answer';
import { helm } from './helm';
import { opened, sheetAims, withMore, withMoved, withOpenPart, without } from './sheet';
import type { SheetDraft, SheetForm } from './sheet';
import { draftWords } from './words';

const form = question.form as SheetForm;
const begun = () => blank(form, question.options) as SheetDraft;
const value = (sheet: SheetDraft): Json => {
  const made = make(form, question.options, sheet);
  if ('wants' in made) throw new Error(made.wants);
  return made.value;
};
const ids = (sheet: SheetDraft) => sheet.entries.map((entry) => entry.part);

const straight = (ship: string, speed: number) => ({ ship, speed, orders: [{ ahead: speed * 10 }] });

describe('a sheet', () => {
  it('begins with what its parts begin with', () => {
    expect(value(begun())).toEqual([straight('ajax', 28), straight('achilles', 28), straight('exeter', 24)]);
    expect(begun().open).toBeNull();
  });

  it('is filled in by a ready-made answer and gives it back', () => {
    for (const option of question.options) {
      const draft = draftOf(form, question.options, option.value) as SheetDraft;
      expect(value(draft)).toEqual(option.value);
    }
    for (const wrong of [{}, [{ ship: 'hood' }], [{ ship: 'ajax', speed: 20 }], [7]])
      expect(draftOf(form, question.options, wrong)).toBeNull();
  });

  it('keeps its order, its parts and what is open', () => {
    let sheet = withMoved({ ...begun(), open: 2 }, 2, -1);
    expect([ids(sheet), sheet.open]).toEqual([['ajax', 'exeter', 'achilles'], 1]);
    sheet = withMoved(sheet, 0, -1);
    expect(ids(sheet)).toEqual(['ajax', 'exeter', 'achilles']);
    sheet = without(sheet, 0);
    expect([ids(sheet), sheet.open]).toEqual([['exeter', 'achilles'], null]);
    sheet = withOpenPart(form, sheet, 'hotspur');
    expect([ids(sheet), sheet.open]).toEqual([['exeter', 'achilles', 'hotspur'], 2]);
    expect(withOpenPart(form, sheet, 'achilles').open).toBe(1);
    expect(withOpenPart(form, sheet, 'graf-spee')).toBe(sheet);
  });

  it('says which part is not complete', () => {
    const needs: SheetForm = { ...form, parts: [{ ...form.parts[0]!, left_out: '' }] };
    expect(make(needs, [], { kind: 'sheet', entries: [], open: null })).toEqual({ wants: 'Ajax has no entry.' });
    const twice = withMore(withMore({ kind: 'sheet', entries: [], open: null }, needs.parts[0]!), needs.parts[0]!);
    expect(make(needs, [], twice)).toEqual({ wants: 'Ajax has 2 entries; at most 1.' });
    const late = begun();
    const entry = late.entries[0]!;
    if (entry.draft.kind === 'course') entry.draft = { ...entry.draft, turns: [[10, 15]] };
    const wants = 'Ajax: The ship must run 40 straight before a turn; it has run 10.';
    expect(make(form, [], late)).toEqual({ wants });
  });

  it('opens one part at a time as a question of its own', () => {
    const sheet = withOpenPart(form, begun(), 'achilles');
    const inner = opened(question, sheet);
    expect(inner.part?.id).toBe('achilles');
    expect(inner.question.form).toBe(form.parts[1]!.form);
    const course = form.parts[1]!.form;
    if (course.kind !== 'course' || inner.draft.kind !== 'course') throw new Error('a course');
    const turned = helm(course, inner.draft, 'ArrowLeft', false)!;
    const next = inner.put({ kind: 'course', ...turned }) as SheetDraft;
    expect(value(next)).toMatchObject([
      straight('ajax', 28),
      { ship: 'achilles', orders: [{ ahead: 40 }, { turn: -15 }, { ahead: 240 }] },
      straight('exeter', 24),
    ]);
    expect(opened(question, begun()).part).toBeNull();
  });

  it('aims each part at what its answer names', () => {
    const part: FormPart = {
      id: 'ajax',
      label: 'Ajax',
      form: { kind: 'pick' },
      options: [{ value: { target: 'graf-spee' }, label: 'at Graf Spee', pieces: ['ajax', 'graf-spee'] }],
      left_out: 'no torpedoes',
      most: 2,
    };
    const torpedoes: SheetForm = { kind: 'sheet', key: 'ship', parts: [part] };
    const sheet = withMore(blank(torpedoes, []) as SheetDraft, part);
    expect(draftWords(part.form, part.options!, sheet.entries[0]!.draft)).toBe('at Graf Spee');
    expect(sheetAims({ ...question, form: torpedoes }, torpedoes, sheet)).toEqual([
      { from: 'ajax', to: 'graf-spee', label: 'at Graf Spee' },
    ]);
  });
});

describe('the helm', () => {
  const course = form.parts[0]!.form;
  if (course.kind !== 'course') throw new Error('a course');
  const start = { speed: 28, turns: [], chosen: { smoke: 0 } };

  it.each([
    ['ArrowRight', false, '28 knots, 15° to starboard after 40 mm'],
    ['ArrowLeft', true, '28 knots, 45° to port after 40 mm'],
    ['ArrowUp', false, '29 knots, straight ahead'],
    ['ArrowUp', true, '32 knots, straight ahead'],
    ['ArrowDown', false, '27 knots, straight ahead'],
    ['ArrowDown', true, '12 knots, straight ahead'],
    ['s', false, '28 knots, straight ahead, make smoke'],
    ['S', true, '28 knots, straight ahead, make smoke'],
  ])('%s, with shift: %s', (key, shift, words) => {
    const next = helm(course, start, key, shift);
    expect(next && draftWords(course, [], { kind: 'course', ...next })).toBe(words);
  });

  it('leaves other keys alone', () => {
    for (const key of ['x', 'Enter', 'Tab', '1', 'Shift']) expect(helm(course, start, key, false)).toBeNull();
  });
});

it('the hand-made battle has a piece for every part', () => {
  for (const part of form.parts) expect(scene.pieces.some((piece) => piece.id === part.id)).toBe(true);
});
