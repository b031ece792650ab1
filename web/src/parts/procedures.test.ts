import { describe, expect, it } from 'vitest';
import { grouped } from './procedures';

const PROCEDURES = [
  { name: 'gunnery-salvo', help: 'One salvo.', group: 'Gunnery', icon: 'guns', acts: ['Fire guns'] },
  { name: 'fire-test', help: 'Whether a fire breaks out.', group: 'Damage', icon: 'fire', acts: ['Fire test'] },
  { name: 'light-guns', help: 'Light guns.', group: 'Gunnery', icon: 'guns', acts: [] },
  { name: 'derive-gun', help: 'Ratings.', group: '', icon: 'dice', acts: [] },
];
const names = (search: string) =>
  grouped(PROCEDURES, search).map(([group, all]) => [group, ...all.map((one) => one.name)]);

describe('procedures', () => {
  it('stand in the groups of their acts', () => {
    expect(names('')).toEqual([
      ['Gunnery', 'gunnery-salvo', 'light-guns'],
      ['Damage', 'fire-test'],
      ['Other', 'derive-gun'],
    ]);
  });
  it('are found by their names, their help, their group and their acts', () => {
    expect(names('breaks')).toEqual([['Damage', 'fire-test']]);
    expect(names('FIRE guns')).toEqual([['Gunnery', 'gunnery-salvo']]);
    expect(names('gunnery light')).toEqual([['Gunnery', 'light-guns']]);
    expect(names('derive gun')).toEqual([['Other', 'derive-gun']]);
    expect(names('nothing')).toEqual([]);
  });
});
