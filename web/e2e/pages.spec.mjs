import { create, scenario } from './help.mjs';
import { expect, test } from './fixtures.mjs';
import { barriers } from './hands.mjs';

/** From the first page to a running game against the computer, by three choices. */
test('a newcomer is playing within a minute', async ({ url, open, shot }) => {
  const { page } = await open();
  await page.goto(url);
  await expect(page.getByText('Choose a game')).toBeVisible();
  await shot(page, 'home');
  await page.getByRole('button', { name: 'Start the game' }).click();
  await expect(page.locator('.question, .waiting').first()).toBeVisible();
  await expect(page.locator('.board svg')).toBeVisible();
  await shot(page, 'game');
});

/** The referee rules, and the address holds the question. */
test('the referee rules, and the address holds the question', async ({ url, open, shot }) => {
  const { page } = await open();
  await page.goto(`${url}/#/referee/schiffskrieg/day-night`);
  await expect(page.getByRole('heading', { name: 'Day night' })).toBeVisible();
  await page.getByRole('button', { name: 'Get a ruling' }).click();
  await expect(page.locator('.ruling .proof li, .ruling .refused').first()).toBeVisible();
  const address = page.url();
  expect(address).toMatch(/\?q=/);
  await shot(page, 'referee');
  const again = await open();
  await again.page.goto(address);
  await again.page.getByRole('button', { name: 'Get a ruling' }).click();
  await expect(again.page.locator('.ruling .proof li').first()).toBeVisible();
});

/** Odds are plotted with their exact chances. */
test('the odds are plotted', async ({ url, open, shot }) => {
  const { page } = await open();
  const wishes = {
    all_sea: true,
    phasing: { wish: 'day', nearest_air_base: 2 },
    non_phasing: { wish: 'night', nearest_air_base: null },
  };
  await page.goto(
    `${url}/#/odds/schiffskrieg/day-night?q=${Buffer.from(JSON.stringify({ a: wishes })).toString('base64url')}`,
  );
  await expect(page.locator('figure svg rect').first()).toBeVisible();
  await page.getByText('Exact chances').first().click();
  await expect(page.locator('figure table td').first()).toBeVisible();
  await expect(page.locator('figure table').first()).toHaveText(/\d+\/\d+/);
  await page.getByRole('button', { name: '+ Compare with B' }).click();
  await page.getByRole('button', { name: 'Calculate' }).click();
  await expect(page.locator('.legend').first()).toBeVisible();
  await shot(page, 'odds');
  // Every number is varied by 1.
  await page.getByRole('button', { name: 'Remove B' }).click();
  await page.getByLabel('vary every number by 1').check();
  await page.getByRole('button', { name: 'Calculate' }).click();
  await expect(page.locator('.tornado tbody tr').first()).toBeVisible();
  await shot(page, 'tornado');
});

/** A newcomer sees a ruling and a distribution of each system at once. */
test('referee and odds open with an example', async ({ url, open }) => {
  const { page } = await open();
  for (const { id } of await (await fetch(`${url}/api/systems`)).json()) {
    await page.goto(`${url}/#/referee/${id}`);
    await expect(page.locator('.ruling .proof li').first()).toBeVisible();
    await page.goto(`${url}/#/odds/${id}`);
    await expect(page.locator('.plots figure').first()).toBeVisible();
  }
});

/** Procedures stand in groups with pictures, and a word finds one. */
test('a procedure is found by a word', async ({ url, open, shot }) => {
  const { page } = await open();
  await page.goto(`${url}/#/referee/fleet-action`);
  await page.locator('.picker summary').click();
  const list = page.getByRole('region', { name: 'Procedures' });
  await expect(list.getByRole('heading', { name: 'Guns', exact: true })).toBeVisible();
  const all = await list.getByRole('link').count();
  expect(all).toBeGreaterThan(40);
  expect(await list.locator('a svg').count(), 'each has a picture').toBe(all);
  expect(await barriers(page), 'axe at the procedures').toEqual([]);
  await shot(page, 'referee-procedures');
  await page.getByRole('searchbox', { name: 'Search the procedures' }).fill('fire guns');
  expect(await list.getByRole('link').count()).toBeLessThan(all);
  await list.getByRole('link', { name: 'Gunnery salvo' }).click();
  await expect(page).toHaveURL(/referee\/fleet-action\/gunnery-salvo/);
  await expect(page.locator('form.facts[data-procedure="gunnery-salvo"]')).toBeVisible();
  await expect(list).toBeHidden();
});

/** Free play takes the player's settings; a refusal appears beside the button. */
test('free play takes your choices', async ({ url, open, shot }) => {
  const { page } = await open({ provoked: /\/api\/games$/ });
  await page.goto(`${url}/#/?system=dogfite&scenario=free-play`);
  await page.locator('.wishes select').first().selectOption('fokker-e3');
  await page.getByRole('button', { name: 'Start the game' }).click();
  await expect(page.locator('.go .refused', { hasText: 'apart' })).toBeVisible();
  await shot(page, 'free-play');
  await page.getByRole('checkbox', { name: 'Uneven' }).check();
  await page.getByRole('button', { name: 'Start the game' }).click();
  await expect(page.locator('main.game')).toBeVisible();
  await expect(page.getByText('Fokker E.III').first()).toBeVisible();
});

/** A rule's address leads to the rule; searching narrows the page. */
test('every rule has an address', async ({ url, open, shot }) => {
  const { page } = await open();
  const system = await (await fetch(`${url}/api/systems/schiffskrieg`)).json();
  const rule = system.rules[0];
  await page.goto(`${url}/#/rules/schiffskrieg/${rule.id}`);
  await expect(page.locator('.named')).toBeVisible();
  await expect(page.locator('.named')).toContainText(rule.id);
  await shot(page, 'rules');
  await page.getByLabel('Search the rules').fill('zzzz-nothing');
  await expect(page.getByText('Nothing found.')).toBeVisible();
});

/** The first page is small, and all of it comes from the server. */
test('the first page is small', async ({ url, open }) => {
  const { page, context } = await open();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', (event) => (bytes += event.encodedDataLength));
  await page.goto(url);
  await expect(page.getByText('Choose a game')).toBeVisible();
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(250_000);
});

/** Every procedure shows an example with its ruling; the empty form gets a ruling or a refusal with a reason. */
test('every procedure has a form', async ({ url, open }) => {
  const { page } = await open({ provoked: /\/adjudicate$/ });
  const ruled = async () => {
    // So many requests at once may meet the limit of the server.
    await expect(async () => {
      await expect(page.locator('.ruling .object, .ruling .refused').first()).toBeVisible();
      const tooMany = (await page.locator('.ruling .refused', { hasText: 'Too many requests' }).count()) > 0;
      if (tooMany) await page.getByRole('button', { name: 'Get a ruling' }).click();
      expect(tooMany).toBe(false);
    }).toPass({ intervals: [1000], timeout: 60_000 });
  };
  const systems = await (await fetch(`${url}/api/systems`)).json();
  for (const system of systems)
    for (const procedure of system.procedures) {
      await page.goto(`${url}/#/referee/${system.id}/${procedure.name}`);
      await expect(page.locator(`form.facts[data-procedure="${procedure.name}"]`)).toBeVisible();
      await expect(page.getByText('Example.')).toBeVisible();
      await ruled();
      await expect(
        page.locator('.ruling .object').first(),
        `${system.id} ${procedure.name}: the example is ruled on`,
      ).toBeVisible();
      await page.getByRole('button', { name: 'Empty form' }).click();
      await page.getByRole('button', { name: 'Get a ruling' }).click();
      await expect(page.getByRole('button', { name: 'Get a ruling', disabled: false })).toBeVisible();
      await ruled();
      const refused = page.locator('.ruling .refused');
      if ((await refused.count()) > 0) {
        const text = await refused.first().innerText();
        expect(text, `${system.id} ${procedure.name}`).not.toMatch(
          /unknown-field|bad-json|does not answer|server answered/,
        );
      }
    }
});

/** A record is verified; a record that was changed is refused with the reason. */
test('records are verified', async ({ url, open, shot }) => {
  const found = await scenario(url, 'schiffskrieg');
  const game = await create(url, {
    system: 'schiffskrieg',
    scenario: found.id,
    seats: found.seats.map(() => ({ kind: 'human' })),
  });
  const [{ token }] = game.seats;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const resigned = await fetch(`${url}/api/games/${game.game}/resign`, { method: 'POST', headers, body: '{}' });
  expect(resigned.status).toBe(200);
  const record = await (await fetch(`${url}/api/games/${game.game}/export`, { headers })).text();
  const { page } = await open({ provoked: /\/verify$/ });
  await page.goto(`${url}/#/records`);
  await page.getByLabel('or its text').fill(record);
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('The record is complete')).toBeVisible();
  await shot(page, 'records');
  // The same text can be imported as a game.
  const { page: reader } = await open({ provoked: /\/verify$/ });
  await reader.goto(`${url}/#/records`);
  await reader.getByLabel('or its text').fill(record);
  await reader.getByRole('button', { name: 'Import as a game' }).click();
  await reader.getByRole('link', { name: 'Look at the game' }).click();
  await reader.getByRole('tab', { name: 'Game' }).click();
  await expect(reader.getByText('This server rolled none of its dice')).toBeVisible();
  await page.getByLabel('or its text').fill(record.replace('"resign"', '"Resign"'));
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.locator('.refused')).toBeVisible();
});

/** An account is made in the browser and lists the games made with it. */
test('an account lists its games', async ({ url, open, shot }) => {
  const { page } = await open({ provoked: /\/api\/me$/ });
  await page.goto(`${url}/#/account`);
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByLabel('Name').fill(`ann-${Date.now().toString(36)}`);
  await page.getByLabel('Password').fill('a long enough password');
  await page.getByRole('button', { name: 'Create the account' }).click();
  await expect(page.getByText('None yet.')).toBeVisible();
  await page.goto(`${url}/#/?system=schiffskrieg`);
  await page.getByRole('button', { name: 'Start the game' }).click();
  await expect(page.locator('main.game')).toBeVisible();
  await page.goto(`${url}/#/account`);
  await expect(page.getByText('schiffskrieg').first()).toBeVisible();
  await shot(page, 'account');
  // The list leads back to the player's own seat without the link.
  await page.locator('main ul a').first().click();
  await expect(page.locator('.seats li', { hasText: '(you)' })).toBeVisible();
  await page.goto(`${url}/#/account`);
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
});
