import { expect, test, vi } from 'vitest';
import { keepInAddress } from './question.svelte';

test('the address of a game is not put back over that of its rematch', () => {
  const replaceState = vi.fn();
  vi.stubGlobal('history', { replaceState });
  // The page is on its way to the rematch when news of the old game arrive.
  vi.stubGlobal('location', { hash: '#/game/new?seat=1' });
  keepInAddress('#/game/old?seat=0');
  expect(replaceState).not.toHaveBeenCalled();
  vi.stubGlobal('location', { hash: '#/game/old?token=secret' });
  keepInAddress('#/game/old?seat=0');
  expect(replaceState).toHaveBeenCalledWith(null, '', '#/game/old?seat=0');
  vi.unstubAllGlobals();
});
