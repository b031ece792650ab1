import { expect, test } from 'vitest';
import type { SystemBrief } from '../wire/types';
import { nextScenario } from './rematch';

const scenario = (id: string, group = 'history', seats = 2) => ({
  id,
  group,
  title: id,
  brief: '',
  passive: [],
  seats: Array.from({ length: seats }, (_, at) => ({ id: `${at}`, name: `${at}`, side: 'first' })),
});
const systems = [
  {
    id: 'sea',
    scenarios: [scenario('a'), scenario('custom', 'free play'), scenario('b', 'history', 4), scenario('c')],
  },
  { id: 'air', scenarios: [scenario('only')] },
] as unknown as SystemBrief[];

test('the next scenario has as many seats and is not one to be made up', () => {
  expect(nextScenario(systems, 'sea', 'a')?.id).toBe('c');
  expect(nextScenario(systems, 'sea', 'c')?.id).toBe('a');
  expect(nextScenario(systems, 'air', 'only')).toBeNull();
  expect(nextScenario(systems, 'land', 'x')).toBeNull();
});
