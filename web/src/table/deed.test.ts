import { describe, expect, it } from 'vitest';
import type { ActInfo, ObjectView, TableView } from '../wire/types';
import { againDraft, deedOf, emptyDraft, facesIn, fitting, fromUnit, mayChoose, named, nextRole, toUnit } from './deed';

const METRES = { these: 45_720, those: 2500 };
const object = (id: string, side: number): ObjectView => {
  const ship = { id, name: id, kind: 'ship', side, group: '', player: null, gone: '', place: null, card: {} };
  return ship as unknown as ObjectView;
};
const salvo = {
  id: 'salvo',
  roles: [
    { id: 'shooter', title: 'Shooter', kinds: ['ship'], count: 'one', acts: true },
    { id: 'target', title: 'Target', kinds: ['ship'], count: 'one', acts: false },
  ],
} as unknown as ActInfo;

describe('the referee’s table', () => {
  it('reads dice as they are typed', () => {
    expect(facesIn('17', 20)).toEqual([17]);
    expect(facesIn('17 3', 20)).toEqual([17, 3]);
    expect(facesIn('635', 6)).toEqual([6, 3, 5]);
    expect(facesIn('10', 10)).toEqual([10]);
  });

  it('changes units there and back', () => {
    expect(fromUnit(17_000, METRES)).toBe(930);
    expect(toUnit(930, METRES)).toBe(17_008);
    expect(fromUnit(5000, { these: 20, those: 1 })).toBe(250);
  });

  it('lets a player act for the ships of the chair only', () => {
    const ajax = { ...object('ajax', 0), player: 2 };
    const view = { objects: [ajax, object('exeter', 0), object('spee', 1)] } as unknown as TableView;
    const names = (seat: number, role: string) =>
      fitting(view, salvo, emptyDraft('salvo'), role, seat).map((one) => one.id);
    expect(names(2, 'shooter')).toEqual(['ajax']);
    expect(names(1, 'shooter')).toEqual([]);
    expect(names(2, 'target')).toEqual(['ajax', 'exeter', 'spee']);
    expect(mayChoose(salvo, 2)).toBe(true);
    expect(mayChoose({ ...salvo, roles: [] }, 2)).toBe(false);
  });

  it('turns units into each other', () => {
    const metres = { these: 45_720, those: 2500 };
    expect(toUnit(930, metres)).toBe(17_008);
    expect(fromUnit(17_000, metres)).toBe(930);
    const cards = { these: 1, those: 1000 };
    expect(toUnit(2500, cards)).toBe(2.5);
    expect(fromUnit(2.5, cards)).toBe(2500);
  });

  it('repeats an act with those who are left', () => {
    const sunk = { ...object('exeter', 0), gone: 'sunk' };
    const view = { objects: [object('ajax', 0), sunk, object('spee', 1)] } as unknown as TableView;
    const deed = (shooter: string[]) => {
      return { do: 'act', act: 'salvo', cast: { shooter, target: ['spee'] }, facts: { a: 1 } };
    };
    expect(againDraft(deed(['ajax']), view, salvo)?.facts).toEqual({ a: 1 });
    expect(againDraft(deed(['ajax', 'exeter']), view, salvo)).toMatchObject({ cast: { shooter: ['ajax'] }, facts: {} });
    expect(againDraft(deed(['exeter']), view, salvo)).toBeNull();
    expect(againDraft({ ...deed(['ajax']), owed: 3 }, view, salvo)).toBeNull();
  });

  it('offers the enemy first as a target and asks for one role after the other', () => {
    const view = { objects: [object('ajax', 0), object('exeter', 0), object('spee', 1)] } as unknown as TableView;
    const draft = emptyDraft('salvo');
    expect(nextRole(salvo, draft)).toBe('shooter');
    draft.cast.shooter = ['ajax'];
    expect(nextRole(salvo, draft)).toBe('target');
    expect(fitting(view, salvo, draft, 'target').map((one) => one.id)).toEqual(['spee', 'exeter']);
    draft.cast.target = ['spee'];
    expect(nextRole(salvo, draft)).toBeNull();
    expect(deedOf(draft)).toEqual({
      do: 'act',
      act: 'salvo',
      cast: { shooter: ['ajax'], target: ['spee'] },
      facts: {},
    });
  });

  it('calls objects by their names where a procedure uses ids', () => {
    const objects = [
      { id: 'hood', name: 'Hood' },
      { id: 'lba#2', name: 'Luftflotte 5 (2)' },
      { id: 'strike', name: 'Strike squadron' },
      { id: 'blue-1', name: 'Blue Squadron 1' },
    ];
    const text = 'lba_2, airstrike at hood; blue-1 makes a strike on the neighbourhood';
    expect(named(text, objects)).toBe(
      'Luftflotte 5 (2), airstrike at Hood; Blue Squadron 1 makes a strike on the neighbourhood',
    );
  });
});
