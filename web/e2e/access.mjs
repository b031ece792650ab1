import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, scenario } from './help.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds that is serious or worse. */
async function serious(page) {
  // Evaluated through the debugger, so that the page's own policy stays as strict as it is.
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return found.violations.filter((one) => ['serious', 'critical'].includes(one.impact)).map((one) => `${one.id}: ${one.help}\n    ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join('\n    ')}`);
}

/** Every page, light and dark, wide and on a phone: nothing serious. */
export async function axeFindsNothingSerious({ url, open, shot }) {
  const found = await scenario(url, 'schiffskrieg');
  const game = await create(url, { system: 'schiffskrieg', scenario: found.id, seats: found.seats.map((_, at) => (at === 0 ? { kind: 'human' } : { kind: 'computer', player: 'greedy' })) });
  const sat = async (system, wanted, seats = ['human', 'computer']) => {
    const one = await scenario(url, system, wanted);
    const made = await create(url, { system, scenario: one.id, dice: 'seeded', seed: '7', seats: seats.map((kind) => (kind === 'human' ? { kind } : { kind, player: 'greedy' })) });
    return `${made.game}${made.seats[0]?.token ? `?token=${made.seats[0].token}` : ''}`;
  };
  // A finished game, for its own page, its replay and the page on its luck.
  const ended = await create(url, { system: 'schiffskrieg', scenario: found.id, dice: 'seeded', seed: '3', seats: found.seats.map(() => ({ kind: 'human' })) });
  const { token } = ended.seats[0];
  await fetch(`${url}/api/games/${ended.game}/resign`, { method: 'POST', headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }, body: '{}' });
  const places = [
    '',
    `game/${game.game}?token=${game.seats[0].token}`,
    `game/${await sat('carrier-strike', 'coral-sea')}`,
    `game/${await sat('dogfite', 'verdun-1916')}`,
    `game/${await sat('schiffskrieg', 'ironbottom-1942')}`,
    `game/${ended.game}?token=${token}`,
    `game/${ended.game}?at=0`,
    `luck/${ended.game}?token=${token}`,
    'referee/schiffskrieg/combat-round',
    'odds/schiffskrieg/attack',
    'rules',
    'rules/schiffskrieg',
    'records',
    'account',
    'about',
    'no-such-page',
  ];
  const windows = [
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true }],
  ];
  const all = [];
  for (const [name, options] of windows) {
    const { page } = await open(options);
    for (const place of places) {
      await page.goto(`${url}/#/${place}`);
      await page.locator('main').waitFor();
      await page.waitForTimeout(400);
      if (place.startsWith('luck')) await page.locator('.verdict').waitFor({ timeout: 120_000 });
      await shot(page, `${name}-${places.indexOf(place)}-${place.split(/[/?]/)[0] || 'home'}`);
      for (const one of await serious(page)) all.push(`${name} #/${place}: ${one}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth + 1);
      if (wide) all.push(`${name} #/${place}: the page is wider than the window`);
    }
  }
  assert.deepEqual(all, []);
}
