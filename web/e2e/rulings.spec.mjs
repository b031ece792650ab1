// The referee's table in a real browser: real clicks, typed dice, watchers, undo.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, test } from './fixtures.mjs';
import { barriers } from './hands.mjs';

/** Counts what a person does. */
function hand(page) {
  let acts = 0;
  return {
    click: async (target) => {
      acts += 1;
      await target.click();
    },
    type: async (text) => {
      for (const key of text) {
        acts += 1;
        await page.keyboard.press(key === '\n' ? 'Enter' : key);
      }
    },
    count: () => acts,
  };
}

const button = (page, name) => page.getByRole('button', { name, exact: true });
const group = (page, name) => page.getByRole('group', { name, exact: true });

/** Opens a table of a system and puts the forces of a scenario on it. */
async function opened(page, url, title, scenario) {
  await page.goto(`${url}/#/table`);
  await page.getByRole('button', { name: new RegExp(`^${title}`) }).click();
  if (scenario) {
    await button(page, scenario).click();
    await expect(page.getByRole('heading', { name: 'Sheets' })).toBeVisible();
  }
}

/** Does something that the server must answer, and waits until the page shows the answer. */
async function then(page, act) {
  const at = await page.locator('main.table').getAttribute('data-at');
  await act();
  await page.waitForFunction((before) => document.querySelector('main.table')?.getAttribute('data-at') !== before, at);
}

/** Puts what a line says on a side of the table; `count` objects are there then. */
async function addLine(page, side, line, count) {
  await page.getByRole('group', { name: /^Side/ }).getByRole('button').nth(side).click();
  await page.getByRole('textbox', { name: 'Forces in a line' }).fill(line);
  await button(page, 'Add').click();
  await expect(page.locator('[data-object]')).toHaveCount(count);
}

/** Types dice until no more are due; returns their faces. */
async function typeDice(page, hand) {
  const field = page.locator('#table-dice');
  const used = [];
  const due = () => page.evaluate(() => document.querySelector('label[for="table-dice"]')?.textContent ?? null);
  for (let label = await due(); label !== null; label = await due()) {
    const [, count = '1', sides = '6'] = label.match(/^(\d+) di(?:e|ce), d(\d+)/) ?? [];
    const faces = Array.from({ length: Number(count) }, () => hand(Number(sides)));
    await field.fill(faces.join(' '));
    await then(page, () => field.press('Enter'));
    used.push(...faces);
  }
  return used;
}

/** A hand whose dice look rolled and are always the same. */
function someDice(seed = 7) {
  let n = seed;
  return (sides) => {
    n = (n * 48271) % 2147483647;
    return 1 + (Math.floor(n / 256) % sides);
  };
}

test('Bismarck fires at Hood within twelve clicks and keys and without a typed figure', async ({ url, open, shot }) => {
  const { page } = await open();
  await page.goto(`${url}/#/`);
  const { click, type, count } = hand(page);
  await click(page.getByRole('link', { name: 'Table', exact: true }));
  await click(page.getByRole('button', { name: /^Fleet Action/ }));
  await click(button(page, 'Denmark Strait'));
  await click(page.getByRole('button', { name: 'Fire guns', exact: true }));
  await click(group(page, 'Shooter').getByRole('button', { name: 'Bismarck' }));
  await click(group(page, 'Target').getByRole('button', { name: 'Hood' }));
  await click(group(page, 'Battery').getByRole('button', { name: /380 mm/ }));
  const fire = page.getByRole('button', { name: /^Fire.*hit \d+%.*damage.*critical/s });
  await expect(fire).toBeEnabled();
  // Each switch says what it changes, of whichever figure.
  const radar = /^Gunnery radar.*hit \+\d+%, damage \+[\d.]+, critical \+\d+%/;
  await expect(page.getByRole('switch', { name: radar })).toBeVisible();
  await shot(page, 'table-salvo');
  await click(fire);
  await expect(page.getByRole('textbox', { name: /1 die, d20/ })).toBeFocused();
  await type('2\n');
  await expect(page.locator('.verdict .large')).toHaveText(/Bismarck misses Hood at [\d,]+ m\./);
  expect(count()).toBeLessThanOrEqual(12);
  await shot(page, 'table-verdict');
});

test('a hit leads to its dice by itself, and boxes are struck out', async ({ url, open, shot }) => {
  // A correction out of bounds is refused.
  const { page } = await open({ provoked: /\/answer$/ });
  await opened(page, url, 'Fleet Action', 'Denmark Strait');
  await page.getByRole('button', { name: 'Fire guns', exact: true }).click();
  await group(page, 'Shooter').getByRole('button', { name: 'Bismarck' }).click();
  await group(page, 'Target').getByRole('button', { name: 'Hood' }).click();
  await group(page, 'Battery').getByRole('button', { name: /380 mm/ }).click();
  await page.getByRole('button', { name: /^Fire/ }).click();
  const rest = someDice(3);
  let first = true;
  await expect(page.getByRole('textbox', { name: /die/ })).toBeVisible();
  await typeDice(page, (sides) => (first ? ((first = false), 20) : rest(sides)));
  await expect(page.locator('.verdict .large')).toHaveText(/Bismarck hits Hood at [\d,]+ m: .*structure/);
  await page.locator('.verdict summary').click();
  await expect(page.locator('.verdict .proof').first()).toBeVisible();
  const hood = page.locator('[data-object="Hood"]');
  // What is struck out on both ships is what the server's sheets say, box by box.
  const id = page.url().match(/table\/([^?]+)/)?.[1] ?? '';
  const { objects } = (await (await fetch(`${url}/api/games/${id}/sheets`)).json()).state;
  for (const name of ['Hood', 'Bismarck']) {
    const { value } = objects.find((one) => one.name === name);
    const sheet = page.locator(`[data-object="${name}"]`);
    for (const [track, left] of [['Flotation', value.f], ['Structure', value.s]]) {
      const row = sheet.getByRole('img', { name: new RegExp(`^${track}: ${left} of \\d+ left$`) });
      await expect(row, `${name}: ${track}`).toBeVisible();
      const most = Number((await row.getAttribute('aria-label')).match(/of (\d+)/)[1]);
      if (most <= 60) await expect(row.locator('g.lost')).toHaveCount(most - left);
      else expect(Number(await row.locator('.left').getAttribute('width'))).toBeCloseTo((131 * left) / most);
      if (name === 'Bismarck') expect(left, 'Bismarck is whole').toBe(most);
      else if (track === 'Structure') expect(left, 'Hood is hit').toBeLessThan(most);
    }
  }
  await shot(page, 'table-hit');
  // A figure of a sheet is corrected by its name.
  await button(page, 'Correct a figure of Hood').click();
  const form = page.getByRole('form', { name: 'Correct a figure of Hood' });
  await figure(form, 'Structure');
  await form.getByLabel('Should be').fill('7');
  await form.getByLabel('Should be').press('Tab');
  expect(await barriers(page), 'axe at a correction').toEqual([]);
  await shot(page, 'table-correct');
  await then(page, () => button(form, 'Correct').click());
  await expect(hood.getByRole('img', { name: /^Structure: 7 of \d+ left$/ })).toBeVisible();
  await figure(form, 'Size');
  await form.getByLabel('Should be').fill('99');
  await form.getByLabel('Should be').press('Tab');
  await button(form, 'Correct').click();
  await expect(hood.getByText('“Size” of Hood is 99; it must lie between -4 and 3.')).toBeVisible();
  // A mount is lost and comes back, and what follows from it follows.
  const mount = 'Main battery: mount 1 \\(fwd\\) is lost';
  await figure(form, mount);
  await form.getByRole('switch', { name: 'Should be' }).click();
  await then(page, () => button(form, 'Correct').click());
  await expect(form.getByRole('option', { name: new RegExp(`^${mount}: yes`) })).toBeAttached();
  await then(page, () => button(page, 'Undo').click());
  await expect(hood.getByText(/must lie between/)).toHaveCount(0);
  await expect(form.getByRole('option', { name: /^LRF: / })).toHaveCount(0);
});

/** Chooses the figure of a sheet to be corrected. */
async function figure(form, name) {
  const option = form.getByRole('option', { name: new RegExp(`^${name}: `) });
  await form.getByLabel('Figure').selectOption(await option.getAttribute('value'));
}

/** The accessibility tree of a part of the page as text: what a screen reader has to read. */
const read = (target) => target.ariaSnapshot();

test('a screen reader hears the act, its dice, the verdict and the sheets', async ({ url, open }) => {
  const { page } = await open();
  await opened(page, url, 'Fleet Action', 'Denmark Strait');
  await button(page, 'Fire guns').click();
  await group(page, 'Shooter').getByRole('button', { name: 'Bismarck' }).click();
  await group(page, 'Target').getByRole('button', { name: 'Hood' }).click();
  await group(page, 'Battery').getByRole('button', { name: /380 mm/ }).click();
  const fire = page.getByRole('button', { name: /^Fire.*hit \d+%/s });
  await expect(fire).toBeEnabled();
  const act = await read(page.getByRole('region', { name: 'Fire guns' }));
  expect(act).toMatch(/switch "Night/);
  expect(act).toMatch(/group "Target's speed":/);
  expect(act).toMatch(/textbox "Range \(map\)"/);
  expect(act).toMatch(/button "Fire hit \d+% · damage [\d.]+ · critical \d+%"/);
  await then(page, () => fire.click());
  // The one field has the focus and says what it is for.
  await expect(page.getByRole('textbox', { name: /^1 die, d20: / })).toBeFocused();
  const verdict = page.getByRole('region', { name: 'Verdict' });
  await expect(verdict).toHaveAttribute('aria-live', 'polite');
  const node = await verdict.elementHandle();
  expect(await read(verdict)).toMatch(/paragraph: Bismarck fires with .* at Hood at [\d,]+ m …/);
  await typeDice(page, ((first) => (sides) => (first ? ((first = false), 20) : someDice(3)(sides)))(true));
  expect(await read(verdict)).toMatch(/paragraph: "?Bismarck hits Hood at [\d,]+ m: /);
  // The verdict came into the region that was there: one put in with its text is not announced.
  expect(await page.evaluate((old) => old.isConnected, node)).toBe(true);
  const sheet = await read(page.getByRole('article', { name: 'Data card: Hood' }));
  expect(sheet).toMatch(/img "Structure: \d+ of \d+ left"/);
  expect(sheet).toMatch(/term: Directors/);
  expect(sheet).toMatch(/heading "Main battery"/);
});

test('a carrier strike of A World at War by typed dice', async ({ url, open, shot }) => {
  const { page } = await open();
  await opened(page, url, 'A World at War');
  await addLine(page, 0, '9 squadrons Japan', 1);
  await addLine(page, 1, '4 squadrons United States', 2);
  await page.getByRole('searchbox', { name: 'Search the forces' }).fill('lexington');
  await page.locator('.list button').first().click();
  await expect(page.locator('[data-object]')).toHaveCount(3);
  await button(page, 'Done').click();
  await page.getByRole('button', { name: 'Air strike on ships' }).click();
  await group(page, 'Squadrons').getByRole('button').first().click();
  await group(page, 'Patrols over the ships').getByRole('button').last().click();
  await group(page, 'Targets, the most important first').getByRole('button').first().click();
  const strike = page.getByRole('button', { name: /^Strike.*hits/s });
  await expect(strike).toBeEnabled();
  await then(page, () => strike.click());
  await typeDice(page, someDice(5));
  await expect(page.locator('.verdict .large')).toHaveText(/through to attack: .*Lexington/);
  await shot(page, 'table-strike');
});

test('two watchers see every ruling live, and undo restores the same sheets', async ({ url, open }) => {
  const { page } = await open();
  await opened(page, url, 'Fleet Action', 'River Plate');
  const game = page.url().match(/table\/([^?]+)/)?.[1] ?? '';
  const watchers = [];
  for (let n = 0; n < 2; n++) {
    const watcher = (await open()).page;
    await watcher.goto(`${url}/#/table/${game}`);
    await expect(watcher.getByText('watching')).toBeVisible();
    watchers.push(watcher);
  }
  // Who only looks may measure: it changes nothing.
  const [looker] = watchers;
  await looker.getByRole('navigation', { name: 'Parts of the table' }).getByRole('button', { name: 'Map' }).click();
  await looker.locator('[data-ship="Exeter"]').click();
  await expect(looker.locator('.map .said')).toHaveText(/^Exeter to .*: [\d,]+ m \(\d+ mm\), in the .* arc, .* bear/);
  expect(await barriers(looker), "axe at a watcher's map").toEqual([]);
  const sheets = async () => (await fetch(`${url}/api/games/${game}/sheets`)).text();
  const before = await sheets();
  const die = someDice(11);
  const range = page.getByRole('textbox', { name: /^Range( \(map\))?$/ });
  for (let n = 0; n < 10; n++) {
    await button(page, 'Fire guns').click();
    await group(page, 'Shooter').getByRole('button').nth(n % 2).click();
    await group(page, 'Target').getByRole('button').nth(n % 2).click();
    const batteries = group(page, 'Battery').getByRole('button');
    await expect(batteries.first().or(range)).toBeVisible();
    if ((await batteries.count()) > 0) await batteries.first().click();
    await range.fill('5000');
    await range.press('Tab');
    const fire = page.getByRole('button', { name: /^Fire.*hit/s });
    await expect(fire).toBeEnabled();
    await then(page, () => fire.click());
    // The first die hits; the others fall as they may, but for explosions.
    let first = true;
    await typeDice(page, (sides) => (first ? ((first = false), sides) : Math.min(die(sides), sides - 1)));
    const verdict = await page.locator('.verdict .large').innerText();
    expect(verdict).toMatch(/ (hits|misses) /);
    for (const watcher of watchers) await expect(watcher.locator('.verdict .large')).toHaveText(verdict);
  }
  const struck = (text) => JSON.parse(text).state.objects.map(({ value }) => value);
  expect(struck(await sheets()), 'ten salvoes leave their marks').not.toEqual(struck(before));
  // Each step back takes one die or one deed.
  for (let n = 0; n < 200 && (await sheets()) !== before; n++) await then(page, () => button(page, 'Undo').click());
  expect(await sheets()).toBe(before);
  for (const watcher of watchers) await expect(watcher.locator('.verdict .large')).toHaveText('What happens?');
});

test('the turn keeps what is owed, and nothing is passed over', async ({ url, open }) => {
  const { page } = await open();
  await opened(page, url, 'Fleet Action', 'River Plate');
  await expect(page.getByRole('button', { name: /^Next:/ })).toBeDisabled();
  await page.getByRole('button', { name: 'Both sides roll for the initiative', exact: true }).click();
  await then(page, () => page.getByRole('button', { name: /^Roll$/ }).click());
  await typeDice(page, someDice(2));
  await expect(page.locator('.verdict .large')).toHaveText(/has the initiative/);
  await page.getByRole('button', { name: /^Next:/ }).click();
  await expect(page.locator('[aria-current="step"]')).toHaveText(/Movement/);
});

test('a phone rules a salvo without scrolling to its dice, and axe finds nothing', async ({ url, open, shot }) => {
  const { page } = await open({ viewport: { width: 390, height: 844 }, hasTouch: true });
  await opened(page, url, 'Fleet Action');
  await expect(page.getByRole('heading', { name: 'Forces', exact: true })).toBeVisible();
  expect(await barriers(page), 'axe at the forces').toEqual([]);
  await button(page, 'Denmark Strait').tap();
  await button(page, 'Fire guns').tap();
  await group(page, 'Shooter').getByRole('button', { name: 'Bismarck' }).tap();
  await group(page, 'Target').getByRole('button', { name: 'Hood' }).tap();
  await group(page, 'Battery').getByRole('button', { name: /380 mm/ }).tap();
  const fire = page.getByRole('button', { name: /^Fire.*hit \d+%/s });
  await expect(fire).toBeEnabled();
  expect(await barriers(page), 'axe at the act').toEqual([]);
  await shot(page, 'phone-table-salvo');
  await fire.tap();
  const digit = group(page, 'Digits').getByRole('button', { name: '2', exact: true });
  await expect(digit).toBeInViewport({ ratio: 1 });
  await expect(button(page, 'Enter')).toBeInViewport({ ratio: 1 });
  await shot(page, 'phone-table-dice');
  await digit.tap();
  await button(page, 'Enter').tap();
  await expect(page.locator('.verdict .large')).toHaveText(/Bismarck misses Hood/);
  await expect(page.locator('.verdict .large')).toBeInViewport();
  for (const tab of ['Sheets', 'Map', 'Log', 'Share']) {
    await page.getByRole('navigation', { name: 'Parts of the table' }).getByRole('button', { name: tab }).tap();
    expect(await barriers(page), `axe at ${tab}`).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(wide, `${tab} fits the width`).toBeLessThanOrEqual(0);
    await shot(page, `phone-table-${tab.toLowerCase()}`);
  }
});

/** `flagplot adjudicate --lines`, asked ruling by ruling. */
function adjudicator() {
  const program = process.env.FLAGPLOT_PROGRAM ?? '../target/debug/flagplot';
  const child = spawn(program, ['adjudicate', '--lines'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    rule: async (procedure, input, dice) => {
      child.stdin.write(`${JSON.stringify({ system: 'fleet-action', procedure, input, dice })}\n`);
      const answer = JSON.parse((await lines.next()).value);
      expect(answer.error, procedure).toBeUndefined();
      return answer.result;
    },
    end: () => child.stdin.end(),
  };
}

/** The sheets as they come out of the procedures, without a table. */
class Book {
  constructor(objects, rule) {
    this.rule = rule;
    this.marks = Object.fromEntries(objects.map((one) => [one.id, one.marks]));
    this.began = Object.fromEntries(objects.map((one) => [one.id, structuredClone(one.value)]));
    this.now = structuredClone(this.began);
  }

  async salvo(from, to, facts, dice) {
    const { crew_quality, gm, splash, fc } = this.now[from];
    const result = await this.rule(
      'gunnery-salvo',
      {
        ...facts,
        control: fc > 0 ? 'directed' : 'local',
        shooter: { crew_quality, gunnery_modifier: gm, splash, fc, amc: false },
        target: {},
        gun: this.marks[from].batteries[0].gun,
        ship: this.now[to],
      },
      dice,
    );
    expect(result.explosion_dice, 'the script has no explosion').toBe(0);
    this.now[to] = result.ship;
  }

  async owed(act, id, dice) {
    const [ship, began] = [this.now[id], this.began[id]];
    if (act === 'burn') this.now[id] = (await this.rule('fire-burn', { ship }, dice)).ship;
    if (act !== 'damage-control') return;
    const { dc, crew_quality, fires } = ship;
    const worse = ['sv', 'fc', 'speed', 'h'].find((item) => ship[item] < began[item]);
    const work = fires > 0
      ? { teams_on_fires: dc }
      : { repairs: [{ item: ship.power_failed ? 'power' : worse, teams: dc }] };
    const result = await this.rule('damage-control', { dc, crew_quality, fires, ...work }, dice);
    const after = { ...ship, fires: result.fires, speed: ship.speed + result.speed_restored };
    for (const item of result.repaired) {
      if (item === 'power') after.power_failed = false;
      else if (item !== 'speed') after[item] += 1;
    }
    this.now[id] = after;
  }
}

test('three turns of the River Plate through the page end in the sheets of adjudicate', async ({ url, open, shot }) => {
  const { page } = await open();
  await opened(page, url, 'Fleet Action', 'River Plate');
  const game = page.url().match(/table\/([^?]+)/)?.[1] ?? '';
  const state = async () => {
    let reply;
    // The server lets one address ask so many times in a second.
    await expect.poll(async () => (reply = await fetch(`${url}/api/games/${game}/sheets`)).status).toBe(200);
    return (await reply.json()).state;
  };
  const program = adjudicator();
  const ships = (await state()).objects;
  expect(ships.length).toBe(4);
  const book = new Book(ships, program.rule);
  const hand = someDice(4);
  const fact = (label) => page.getByRole('textbox', { name: new RegExp(`^${label}( \\(map\\))?$`) });
  const [range, guns, between] = [fact('Range'), fact('Guns that fire'), fact('Ships in between')];
  const counts = { salvoes: 0, burns: 0, fought: 0 };
  for (let turn = 1; turn <= 3; turn++) {
    for (let phase = 0; phase < 9; phase++) {
      for (const from of phase === 2 ? ships : []) {
        const now = (await state()).objects;
        const afloat = (one) => !now.find((other) => other.id === one.id).gone;
        const to = ships.find((one) => one.side !== from.side && afloat(one));
        if (!to || !afloat(from)) continue;
        await button(page, 'Fire guns').click();
        await group(page, 'Shooter').getByRole('button', { name: from.name, exact: true }).click();
        await group(page, 'Target').getByRole('button', { name: to.name, exact: true }).click();
        const batteries = group(page, 'Battery').getByRole('button');
        await expect(batteries.first().or(range)).toBeVisible();
        if ((await batteries.count()) > 0) await batteries.first().click();
        // 480 mm on the table.
        await range.fill('8778');
        await range.press('Tab');
        const fire = page.getByRole('button', { name: /^Fire.*hit/s });
        await expect(fire).toBeEnabled();
        await expect(guns).toHaveValue(/^[1-9]/);
        // What the map tells is on the page.
        const facts = {
          range_mm: 480,
          guns: Number(await guns.inputValue()),
          raking: (await page.getByRole('switch', { name: /^Raking/ }).getAttribute('aria-checked')) === 'true',
          intervening_bases: Number(await between.inputValue()),
        };
        await then(page, () => fire.click());
        await book.salvo(from.id, to.id, facts, await typeDice(page, hand));
        counts.salvoes += 1;
      }
      for (let owed = (await state()).owed[0]; owed; owed = (await state()).owed[0]) {
        const ship = owed.cast.ship?.[0];
        counts.burns += Number(owed.act === 'burn');
        counts.fought += Number(owed.act === 'damage-control' && book.now[ship].fires > 0);
        await page.locator('.owed button').first().click();
        if (owed.act === 'burn') await shot(page, 'table-fires');
        await expect(page.locator('.go .big')).toBeEnabled();
        await then(page, () => page.locator('.go .big').click());
        const dice = await typeDice(page, hand);
        if (ship) await book.owed(owed.act, ship, dice);
      }
      // Splash markers go when the turn ends.
      if (phase === 7) for (const ship of Object.values(book.now)) ship.splash = 0;
      await then(page, () => page.locator('button.next').click());
    }
  }
  program.end();
  const sheets = Object.fromEntries((await state()).objects.map((one) => [one.id, one.value]));
  expect(sheets).toEqual(book.now);
  expect(counts.salvoes).toBeGreaterThanOrEqual(9);
  expect(Math.min(counts.burns, counts.fought), JSON.stringify(counts)).toBeGreaterThan(0);
  await shot(page, 'table-river-plate');
});

const SCENARIOS = [
  ['Fleet Action', 'Denmark Strait', 'Hood'],
  ['Carrier Strike', 'First strike!', 'Blue carrier group'],
  ['Dogfite!', 'Monoplanes over Verdun', 'Boelcke (Fokker E.III)'],
  ['Schiffskrieg', 'Denmark Strait', 'Bismarck'],
  ['A World at War', 'Force Z, 10 December 1941', 'Repulse'],
];

test('the forces of a scenario are on the table with one click in every system', async ({ url, open, shot }) => {
  const { page } = await open();
  for (const [system, scenario, piece] of SCENARIOS) {
    await opened(page, url, system, scenario);
    await expect(page.locator(`[data-object="${piece}"]`), `${system}: ${scenario}`).toBeVisible();
    await expect(page.getByRole('searchbox', { name: 'Search the acts' })).toBeVisible();
    expect(await barriers(page), `axe at the table of ${system}`).toEqual([]);
    await shot(page, `table-${system.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`);
  }
});

test('a ground assault of A World at War goes round by round with its losses named', async ({ url, open, shot }) => {
  const { page } = await open({ provoked: /\/answer$/ });
  await opened(page, url, 'A World at War');
  await addLine(page, 0, '9 × 3 factors', 9);
  await addLine(page, 1, '4 x 3 factors', 13);
  await button(page, 'Done').click();
  await page.getByRole('searchbox', { name: 'Search the acts' }).fill('ground combat round');
  await button(page, 'A round of ground combat').click();
  const [attackers, defenders] = [group(page, /^Attackers/), group(page, /^Defenders/)];
  await attackers.getByRole('button', { name: 'All of First side' }).click();
  await expect(attackers.locator('[aria-pressed="true"]')).toHaveCount(9);
  await defenders.getByRole('button', { name: 'All of Second side' }).click();
  const attack = page.getByRole('button', { name: /^Attack.*lost/s });
  await expect(attack).toBeEnabled();
  await shot(page, 'table-ground');
  await then(page, () => attack.click());
  await typeDice(page, () => 2);
  // The losses that the rules demand are proposed, and the owner gives up other units.
  const losses = group(page, 'Losses');
  await expect(page.getByRole('heading', { name: /^At 1:1 the attackers must lose at least 12 factors/ })).toBeVisible();
  await expect(losses.locator('[aria-pressed="true"]')).toHaveCount(4);
  await shot(page, 'table-losses');
  expect(await barriers(page), 'axe at the losses').toEqual([]);
  await losses.getByRole('button', { name: /^3-factor unit 1 / }).click();
  await button(page, 'Confirm the losses').click();
  await expect(page.getByText('Give up at least 12 factors; you chose 9.')).toBeVisible();
  await losses.getByRole('button', { name: /^3-factor unit 9 / }).click();
  await then(page, () => button(page, 'Confirm the losses').click());
  const verdict = page.locator('.verdict .large');
  await expect(verdict).toHaveText(/^At 1:1 \(a\): attackers lose 12 factors \(3-factor unit 2 and 3 more units\)/);
  await expect(page.locator('[data-object="3-factor unit 9"] .stamp')).toHaveText('eliminated');
  await shot(page, 'table-ground-round');
  // The next round is fought by those who are left, and the die knows of the round before.
  await button(page, 'Attack again').click();
  await expect(page.locator('.fact').filter({ hasText: /^Rounds fought before/ }).locator('input')).toHaveValue('1');
  await expect(attack).toBeEnabled();
  await then(page, () => attack.click());
  await typeDice(page, () => 6);
  await expect(page.getByRole('heading', { name: /the defenders must lose at least 15 factors, ground units by/ })).toBeVisible();
  await then(page, () => button(page, 'Confirm the losses').click());
  await expect(verdict).toHaveText(/^At 1:2 \(Ex\): attackers lose 15 factors .*, defenders lose 9 factors/);
});

/** What is above an on-screen keyboard on a phone of 844 points. */
const ABOVE_KEYBOARD = 500;

/** An act of each system that calls for dice: the roles and facts to tap, in order. */
const WITH_DICE = [
  [
    'Carrier Strike',
    'First strike!',
    'One squadron strikes',
    [['Squadron', /Blue/], ['Carrier group', /Red/], ['Stance of the squadron', /./], ['Stance of the guns', /./]],
  ],
  ['Dogfite!', 'Monoplanes over Verdun', 'Critical hit', [['Aircraft', /Boelcke/]]],
  [
    'Schiffskrieg',
    'Denmark Strait',
    'One attack',
    [['Attacker', 'Bismarck'], ['Target', 'Hood'], ['Round', 'night'], ['Factor', 'gunnery']],
  ],
  [
    'A World at War',
    'Force Z, 10 December 1941',
    'A round of fleet combat',
    [[/first fleet$/, 'Kongo'], [/second fleet$/, /Wales/]],
  ],
];

/** The field, its keys and its button are seen, and the first two stand above an on-screen keyboard. */
async function typedInView(page) {
  await expect(page.locator('#table-dice')).toBeVisible();
  for (const part of [page.locator('#table-dice'), button(page, 'Enter'), group(page, 'Digits')])
    await expect(part).toBeInViewport({ ratio: 1 });
  const { y, height } = await button(page, 'Enter').boundingBox();
  expect(y + height).toBeLessThan(ABOVE_KEYBOARD);
}

test('dice are typed on a phone without scrolling in every system', async ({ url, open, shot }) => {
  const { page } = await open({ viewport: { width: 390, height: 844 }, hasTouch: true });
  for (const [system, scenario, act, taps] of WITH_DICE) {
    await opened(page, url, system);
    await button(page, scenario).tap();
    await page.locator('.picker').getByRole('button', { name: act, exact: true }).tap();
    for (const [part, name] of taps) await group(page, part).getByRole('button', { name }).first().tap();
    await expect(page.locator('.go .big')).toBeEnabled();
    await then(page, () => page.locator('.go .big').tap());
    await typedInView(page);
    await shot(page, `phone-dice-${system.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`);
  }
  // Many units are counted above their dice, and losses are confirmed where they are proposed.
  await opened(page, url, 'A World at War');
  await addLine(page, 0, '9 × 3 factors', 9);
  await addLine(page, 1, '4 x 3 factors', 13);
  await button(page, 'Done').tap();
  await button(page, 'A round of ground combat').tap();
  await button(group(page, 'Attackers'), 'All of First side').tap();
  await button(group(page, 'Defenders'), 'All of Second side').tap();
  await expect(page.locator('.go .big')).toBeEnabled();
  await then(page, () => page.locator('.go .big').tap());
  await typedInView(page);
  await group(page, 'Digits').getByRole('button', { name: '2', exact: true }).tap();
  await then(page, () => button(page, 'Enter').tap());
  await expect(button(page, 'Confirm the losses')).toBeInViewport({ ratio: 1 });
  await shot(page, 'phone-losses');
});

/** A finger that goes from one point to another. */
async function swipe(page, from, to) {
  const touch = await page.context().newCDPSession(page);
  const send = (type, point) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: point ? [{ x: point.x, y: point.y }] : [] });
  await send('touchStart', from);
  for (let step = 1; step <= 5; step++)
    await send('touchMove', { x: from.x + ((to.x - from.x) * step) / 5, y: from.y + ((to.y - from.y) * step) / 5 });
  await send('touchEnd');
}

const middle = async (target) => {
  const box = await target.boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

test('ships are dragged on the map by mouse, keys and finger, and range and arcs are measured', async ({ url, open, shot }) => {
  const { page } = await open();
  await opened(page, url, 'Fleet Action', 'Denmark Strait');
  const tab = (one) => one.getByRole('navigation', { name: 'Parts of the table' }).getByRole('button', { name: 'Map' });
  await tab(page).click();
  const ship = page.locator('[data-ship="Bismarck"]');
  await ship.click();
  const said = page.locator('.map .said');
  await expect(said).toHaveText(/Bismarck to .*: [\d,]+ m \(\d+ mm\), in the .* arc, .*of 8 × 380 mm bear/);
  const before = await said.innerText();
  const from = await middle(ship.locator('path'));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 40, from.y + 30, { steps: 4 });
  // It is measured while it is held.
  await expect(said).not.toHaveText(before);
  await then(page, () => page.mouse.up());
  await shot(page, 'table-map');
  await then(page, () => ship.press('e'));
  await then(page, () => ship.press('ArrowUp'));
  expect(await barriers(page), 'axe at the map').toEqual([]);
  const phone = (await open({ viewport: { width: 390, height: 844 }, hasTouch: true })).page;
  await opened(phone, url, 'Fleet Action');
  await then(phone, () => button(phone, 'Denmark Strait').tap());
  await tab(phone).tap();
  const held = phone.locator('[data-ship="Bismarck"]');
  await held.tap();
  await held.scrollIntoViewIfNeeded();
  const start = await middle(held.locator('path'));
  await then(phone, () => swipe(phone, start, { x: start.x + 30, y: start.y + 30 }));
  await expect(phone.locator('.map .said')).toHaveText(/mm bear/);
  await shot(phone, 'phone-table-map-drag');
});

test('a player acts for the ships that the referee has given away, and for no other', async ({ url, open, shot }) => {
  const { page } = await open();
  await opened(page, url, 'Fleet Action', 'Denmark Strait');
  const part = (one, name) =>
    one.getByRole('navigation', { name: 'Parts of the table' }).getByRole('button', { name, exact: true }).click();
  await part(page, 'Share');
  await page.getByRole('button', { name: 'Invite', exact: true }).first().click();
  const link = await page.getByRole('textbox', { name: /^Invitation for/ }).inputValue();
  const ann = (await open()).page;
  await ann.goto(link);
  await ann.getByRole('button', { name: /Take|Join|Sit|Play/ }).first().click();
  await expect(ann.getByText('The referee has not given you any ships yet.')).toBeVisible();
  await then(page, () => page.getByLabel('Player of Bismarck').selectOption({ index: 1 }));
  await button(ann, 'Fire guns').click();
  const shooters = group(ann, 'Shooter').getByRole('button');
  await expect(shooters).toHaveText(['Bismarck']);
  await shooters.first().click();
  await group(ann, 'Target').getByRole('button', { name: 'Hood' }).click();
  await group(ann, 'Battery').getByRole('button', { name: /380 mm/ }).click();
  const fire = ann.getByRole('button', { name: /^Fire.*hit/s });
  await expect(fire).toBeEnabled();
  await shot(ann, 'table-player');
  expect(await barriers(ann), "axe at a player's act").toEqual([]);
  await then(ann, () => fire.click());
  await expect(ann.locator('#table-dice')).toBeVisible();
  expect(await barriers(ann), "axe at a player's dice").toEqual([]);
  await typeDice(ann, () => 2);
  await expect(page.locator('.verdict .large')).toHaveText(/Bismarck misses Hood/);
  await expect(ann.getByRole('button', { name: /^Next:/ })).toHaveCount(0);
  await expect(button(ann, 'Correct a figure of Bismarck')).toHaveCount(0);
  for (const name of ['Act', 'Sheets', 'Map', 'Log', 'Share']) {
    await part(ann, name);
    expect(await barriers(ann), `axe at a player's ${name}`).toEqual([]);
  }
});

test('ships of an encyclopaedia and of a file join, and the exported record is proved', async ({ url, open, shot }) => {
  const { page } = await open({ provoked: /\/answer$/ });
  await opened(page, url, 'Fleet Action');
  await page.getByText('From the figures of an encyclopaedia').click();
  await page.getByLabel('Name', { exact: true }).fill('York');
  await page.getByLabel('Type', { exact: true }).selectOption('CA');
  const figures = { Year: '1928', Displacement: '8250', Speed: '32', Complement: '620' };
  for (const [label, value] of Object.entries(figures)) await page.getByLabel(label, { exact: true }).fill(value);
  expect(await barriers(page), 'axe at the figures').toEqual([]);
  await shot(page, 'table-derive');
  await then(page, () => button(page, 'Add her to the table').click());
  await expect(page.locator('[data-object="York"]')).toBeVisible();
  // A ship of one's own, once with a sheet that is none.
  const list = (value) => Buffer.from(JSON.stringify([{ name: 'Q-Ship', kind: 'ship', value }]));
  const field = page.locator('input[type=file]');
  const file = (buffer) => field.setInputFiles({ name: 'own.json', mimeType: 'application/json', buffer });
  await file(list({ f: 9 }));
  await expect(page.getByText(/The sheet of Q-Ship: it needs the figure/)).toBeVisible();
  await file(Buffer.from('no list'));
  await expect(page.getByText('This file is not a list of forces.')).toBeVisible();
  await then(page, () => file(list({ f: 9, s: 20, fires: 2 })));
  await expect(page.locator('[data-object="Q-Ship"]')).toBeVisible();
  await expect(page.getByText('This file is not a list of forces.')).toHaveCount(0);
  await page.getByRole('navigation', { name: 'Parts of the table' }).getByRole('button', { name: 'Share' }).click();
  const saving = page.waitForEvent('download');
  await button(page, 'Export the record').click();
  const kept = test.info().outputPath('table.flagplot');
  await (await saving).saveAs(kept);
  const program = process.env.FLAGPLOT_PROGRAM ?? '../target/debug/flagplot';
  expect(execFileSync(program, ['verify', kept], { encoding: 'utf8' })).toMatch(/\S/);
  const pages = test.info().outputPath('table.html');
  execFileSync(program, ['print', 'fleet-action', '--record', kept, '--html', pages]);
  expect(readFileSync(pages, 'utf8')).toContain('>York<');
  // On paper there are sheets and a log, and nothing to press.
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('[data-object="York"]')).toBeVisible();
  await expect(page.locator('.print').getByRole('heading', { name: 'Log' })).toBeVisible();
  expect(await page.locator('main.table button:visible').count()).toBe(0);
  await shot(page, 'table-print');
  await page.emulateMedia({ media: 'screen' });
  // The table is found again where tables are opened.
  await page.goto(`${url}/#/table`);
  await page.getByRole('link', { name: /York, Q-Ship/ }).click();
  await expect(page.locator('[data-object="York"]')).toBeVisible();
});

test('empty torpedo tubes are on the sheet and are not launched again', async ({ url, open, shot }) => {
  const { page } = await open();
  await opened(page, url, 'Fleet Action');
  const search = page.getByRole('searchbox', { name: 'Search the forces' });
  await search.fill('prinz eugen');
  await page.locator('.list button').first().click();
  await expect(page.locator('[data-object]')).toHaveCount(1);
  await page.getByRole('group', { name: /^Side/ }).getByRole('button').nth(1).click();
  await search.fill('hood');
  await page.locator('.list button').first().click();
  await expect(page.locator('[data-object]')).toHaveCount(2);
  await button(page, 'Done').click();
  await button(page, 'Launch torpedoes').click();
  await group(page, 'Launcher').getByRole('button', { name: 'Prinz Eugen' }).click();
  await group(page, 'Target').getByRole('button', { name: 'Hood' }).click();
  await group(page, 'Speed setting').getByRole('button').first().click();
  const range = page.locator('.fact').filter({ hasText: /^Range/ }).locator('input');
  await range.fill('3000');
  await range.press('Tab');
  const launch = page.getByRole('button', { name: /^Launch/ });
  await expect(launch).toBeEnabled();
  await then(page, () => launch.click());
  await typeDice(page, () => 1);
  await expect(page.locator('[data-object="Prinz Eugen"]')).toContainText('empty');
  await shot(page, 'table-tubes');
  await button(page, 'Launch again').click();
  await expect(page.getByText('The torpedo tubes of Prinz Eugen are empty.')).toBeVisible();
  await expect(launch).toBeDisabled();
});

test('a salvo is ruled by keyboard alone, once with dice that are rolled', async ({ url, open }) => {
  const { page } = await open();
  await opened(page, url, 'Fleet Action', 'Denmark Strait');
  /** Tab to a control and press a key on it. */
  const press = async (target, key = 'Enter') => {
    await expect(target).toBeEnabled();
    const there = () => target.evaluate((one) => one === document.activeElement);
    for (let tab = 0; tab < 250 && !(await there()); tab++) await page.keyboard.press('Tab');
    expect(await there(), 'Tab reaches it').toBe(true);
    await page.keyboard.press(key);
  };
  const aim = async () => {
    await press(button(page, 'Fire guns'));
    await press(group(page, 'Shooter').getByRole('button', { name: 'Bismarck' }));
    await press(group(page, 'Target').getByRole('button', { name: 'Hood' }));
    await press(group(page, 'Battery').getByRole('button', { name: /380 mm/ }), 'Space');
    await then(page, () => press(page.getByRole('button', { name: /^Fire.*hit \d+%/s })));
  };
  await aim();
  await expect(page.locator('#table-dice')).toBeFocused();
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  const verdict = page.locator('.verdict .large');
  await expect(verdict).toHaveText(/Bismarck misses Hood at [\d,]+ m\./);
  await aim();
  const roll = button(page, 'Roll for me');
  for (let n = 0; n < 30 && (await roll.count()) > 0; n++) await then(page, () => press(roll));
  await expect(verdict).toHaveText(/Bismarck (hits|misses) Hood/);
});

test('dice on the table are typed in any order', async ({ url, open }) => {
  const { page } = await open();
  await opened(page, url, 'Schiffskrieg', 'Denmark Strait');
  const verdict = page.locator('.verdict .large');
  const rule = async (faces) => {
    await page.locator('.picker').getByRole('button', { name: 'One attack', exact: true }).click();
    for (const [part, name] of [['Attacker', 'Bismarck'], ['Target', 'Hood'], ['Round', 'night'], ['Factor', 'gunnery']])
      await group(page, part).getByRole('button', { name }).first().click();
    await expect(page.locator('.go .big')).toBeEnabled();
    await then(page, () => page.locator('.go .big').click());
    const label = await page.locator('label[for="table-dice"]').innerText();
    const count = Number(label.match(/^(\d+)/)[1]);
    expect(count, 'several dice at once').toBeGreaterThan(1);
    const typed = faces(Array.from({ length: count }, (_, n) => 6 - (n % 6)));
    await page.locator('#table-dice').fill(typed.join(' '));
    await then(page, () => page.locator('#table-dice').press('Enter'));
    await typeDice(page, () => 3);
    return verdict.innerText();
  };
  const one = await rule((dice) => dice);
  await expect(verdict).not.toHaveText('What happens?');
  while ((await verdict.innerText()) !== 'What happens?') await then(page, () => button(page, 'Undo').click());
  expect(await rule((dice) => dice.reverse())).toBe(one);
});

/** A server of this test's own, in a folder of its own. */
async function serve(folder, port) {
  const child = spawn(process.env.FLAGPLOT_PROGRAM ?? '../target/debug/flagplot', ['serve', '--listen', `127.0.0.1:${port}`], {
    env: { ...process.env, FLAGPLOT_DATA: folder },
    stdio: 'ignore',
  });
  await expect
    .poll(() => fetch(`http://127.0.0.1:${port}/healthz`).then(({ ok }) => ok, () => false), { timeout: 60_000 })
    .toBe(true);
  return child;
}

test('a server that is killed in the middle of a hit asks for the same die when it is back', async ({ open }) => {
  const folder = test.info().outputPath('server');
  const port = await new Promise((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => found(port));
    });
  });
  let server = await serve(folder, port);
  try {
    const { page } = await open();
    await opened(page, `http://127.0.0.1:${port}`, 'Fleet Action', 'Denmark Strait');
    await button(page, 'Fire guns').click();
    await group(page, 'Shooter').getByRole('button', { name: 'Bismarck' }).click();
    await group(page, 'Target').getByRole('button', { name: 'Hood' }).click();
    await group(page, 'Battery').getByRole('button', { name: /380 mm/ }).click();
    await then(page, () => page.getByRole('button', { name: /^Fire.*hit/s }).click());
    const field = page.locator('#table-dice');
    await field.fill('20');
    await then(page, () => field.press('Enter'));
    const asked = page.locator('label[for="table-dice"]');
    await expect(asked).not.toHaveText(/d20: .*hit/i);
    const [before, at] = [await asked.innerText(), await page.locator('main.table').getAttribute('data-at')];
    const died = new Promise((gone) => server.once('exit', gone));
    server.kill('SIGKILL');
    await died;
    server = await serve(folder, port);
    // The page that stayed open goes on; so does one that is opened anew.
    await expect(page.locator('main.table')).toHaveAttribute('data-at', at);
    await expect(asked).toHaveText(before);
    const rest = someDice(3);
    await expect(async () => {
      await field.fill('');
      await typeDice(page, rest);
      await expect(page.locator('.verdict .large')).toHaveText(/Bismarck hits Hood/, { timeout: 2000 });
    }).toPass({ timeout: 60_000 });
    await page.reload();
    await expect(page.locator('.verdict .large')).toHaveText(/Bismarck hits Hood/);
  } finally {
    server.kill('SIGKILL');
  }
});

test('a battle of A World at War is ruled as a chain: air combat, air defense, strike, allocation', async ({ url, open, shot }) => {
  const { page } = await open();
  await opened(page, url, 'A World at War', 'Force Z, 10 December 1941');
  await addForces(page);
  const act = async (name, taps, hits = '') => {
    await page.getByRole('searchbox', { name: 'Search the acts' }).fill(name);
    await page.locator('.picker').getByRole('button', { name, exact: true }).click();
    for (const [part, which] of taps) await group(page, part).getByRole('button', { name: which }).first().click();
    if (hits !== '') {
      const field = page.locator('.fact').filter({ hasText: /^Hits/ }).locator('input').first();
      await field.fill(hits);
      await field.press('Tab');
    }
    await expect(page.locator('.go .big')).toBeEnabled();
    await then(page, () => page.locator('.go .big').click());
  };
  // Those who get past the patrols meet the guns, and those who get past the guns attack, by themselves.
  await act('A round of air combat', [
    ['Attackers', /^Japan squadrons/],
    ['Defenders', /^Britain squadrons/],
    ['Ships they go on to strike', /Wales/],
  ]);
  const asked = [];
  const label = page.locator('label[for="table-dice"]');
  while ((await label.count()) > 0) {
    asked.push(await label.innerText());
    if (asked.length === 3) await shot(page, 'table-chain');
    const count = Number(asked.at(-1).match(/^(\d+)/)[1]);
    const field = page.locator('#table-dice');
    await field.fill(Array.from({ length: count }, () => 3).join(' '));
    await then(page, () => field.press('Enter'));
  }
  expect(asked.length, asked.join('; ')).toBeGreaterThanOrEqual(4);
  const verdict = page.locator('.verdict .large');
  await expect(verdict).toHaveText(/squadrons? gets? through to attack: \d+ hits?; Prince of Wales/);
  await page.getByRole('navigation', { name: 'Parts of the table' }).getByRole('button', { name: 'Log' }).click();
  for (const link of [/^Attackers: /, /^The guns shoot: /, /through to attack/])
    await expect(page.locator('.middle').getByText(link).first()).toBeVisible();
  // A hit that was forgotten is allocated by hand.
  await page.getByRole('navigation', { name: 'Parts of the table' }).getByRole('button', { name: 'Act' }).click();
  await act('Hits on a ship', [['Target', /Repulse/]], '2');
  await typeDice(page, someDice(9));
  await expect(verdict).toContainText('Repulse');
});

const OWED = [
  ['Dogfite!', 'Monoplanes over Verdun', ['The edges are adjusted', 'The order of moves is rolled for']],
  ['Fleet Action', 'Denmark Strait', ['Both sides roll for the initiative']],
];

test('what the rules owe is offered in other systems, too, and opens its act with all who take part', async ({
  url,
  open,
  shot,
}) => {
  const { page } = await open();
  for (const [system, scenario, owed] of OWED) {
    await opened(page, url, system, scenario);
    await expect(page.locator('.owed button:first-child')).toHaveText(owed);
    await expect(page.getByRole('button', { name: /^Next:/ })).toBeDisabled();
    await page.locator('.owed button').first().click();
    await expect(page.locator('.go .big')).toBeVisible();
    expect(await barriers(page), `axe at what ${system} owes`).toEqual([]);
  }
  // Two ships fire at one: the results take effect together, and nothing is passed over.
  await opened(page, url, 'Schiffskrieg', 'Denmark Strait');
  while ((await page.locator('.owed li').count()) > 0)
    await then(page, () => page.getByRole('button', { name: /^Waive/ }).first().click());
  for (const attacker of ['Bismarck', 'Prinz Eugen']) {
    await page.locator('.picker').getByRole('button', { name: 'One attack', exact: true }).click();
    const parts = [['Attacker', attacker], ['Target', 'Hood'], ['Round', 'night'], ['Factor', 'gunnery']];
    for (const [part, name] of parts) {
      const choice = group(page, part).getByRole('button', { name }).first();
      if ((await choice.getAttribute('aria-pressed')) !== 'true') await choice.click();
    }
    await expect(page.locator('.go .big')).toBeEnabled();
    await then(page, () => page.locator('.go .big').click());
    // One hit each for 3 damage points.
    let first = true;
    const label = () => page.locator('label[for="table-dice"]').innerText();
    while ((await page.locator('#table-dice').count()) > 0) {
      const count = Number((await label()).match(/^(\d+)/)[1]);
      const faces = first ? [6, ...Array.from({ length: count - 1 }, () => 1)] : [3];
      first = false;
      await page.locator('#table-dice').fill(faces.join(' '));
      await then(page, () => page.locator('#table-dice').press('Enter'));
    }
  }
  await expect(page.locator('.verdict .large')).toHaveText(/Prinz Eugen attacks Hood: .*6 in this round/);
  await expect(page.getByText('Hood: 6 damage points in this round')).toBeVisible();
  await shot(page, 'table-round');
  await page.getByRole('button', { name: 'The results of the round take effect', exact: true }).click();
  await expect(page.locator('.go .big')).toBeEnabled();
  await then(page, () => page.locator('.go .big').click());
  await expect(page.locator('.verdict .large')).toHaveText(/\d units? sunk, \d damaged/);
});

/** Squadrons of both sides join the ships of Force Z. */
async function addForces(page) {
  await page.getByRole('navigation', { name: 'Parts of the table' }).getByRole('button', { name: 'Forces' }).click();
  const count = await page.locator('[data-object]').count();
  await addLine(page, 0, '9 squadrons Japan', count + 1);
  await addLine(page, 1, '3 squadrons Britain', count + 2);
  await button(page, 'Done').click();
}
