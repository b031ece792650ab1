import assert from 'node:assert/strict';
import { create, scenario } from './help.mjs';

/** From the first page to a running game against the computer, by three choices. */
export async function aStrangerIsPlayingWithinAMinute({ url, open, shot }) {
  const { page } = await open();
  await page.goto(url);
  await page.getByText('The system').waitFor();
  await shot(page, 'home');
  await page.getByRole('button', { name: 'Start the game' }).click();
  await page.locator('.question, .waiting').first().waitFor();
  await page.locator('.board svg').waitFor();
  await shot(page, 'game');
}

/** The referee rules, what is kept goes into the next question, and the address holds the question. */
export async function theRefereeRules({ url, open, shot }) {
  const { page } = await open();
  await page.goto(`${url}/#/referee/schiffskrieg/day-night`);
  await page.getByRole('heading', { name: 'Day night' }).waitFor();
  await page.getByRole('button', { name: 'Rule on it' }).click();
  await page.locator('.ruling .proof li, .ruling .refused').first().waitFor();
  const address = page.url();
  assert.match(address, /\?q=/);
  await shot(page, 'referee');
  const again = await open();
  await again.page.goto(address);
  await again.page.getByRole('button', { name: 'Rule on it' }).click();
  await again.page.locator('.ruling .proof li').first().waitFor();
}

/** Odds are plotted with their exact chances. */
export async function theOddsArePlotted({ url, open, shot }) {
  const { page } = await open();
  const wishes = { all_sea: true, phasing: { wish: 'day', nearest_air_base: 2 }, non_phasing: { wish: 'night', nearest_air_base: null } };
  await page.goto(`${url}/#/odds/schiffskrieg/day-night?q=${Buffer.from(JSON.stringify({ a: wishes })).toString('base64url')}`);
  await page.locator('figure svg rect').first().waitFor();
  await page.getByText('Exact chances').first().click();
  await page.locator('figure table td').first().waitFor();
  assert.match(await page.locator('figure table').first().innerText(), /\d+\/\d+/);
  await page.getByRole('button', { name: '+ Compare with B' }).click();
  await page.getByRole('button', { name: 'Count' }).click();
  await page.locator('.legend').first().waitFor();
  await shot(page, 'odds');
  // Every number one more and one less, at once.
  await page.getByRole('button', { name: 'drop B' }).click();
  await page.getByLabel('every number ±1').check();
  await page.getByRole('button', { name: 'Count' }).click();
  await page.locator('.tornado tbody tr').first().waitFor();
  await shot(page, 'tornado');
}

/** A stranger who opens a page sees a ruling, or a distribution, of each system. */
export async function strangersSeeAnExample({ url, open }) {
  const { page } = await open();
  for (const { id } of await (await fetch(`${url}/api/systems`)).json()) {
    await page.goto(`${url}/#/referee/${id}`);
    await page.locator('.ruling .proof li').first().waitFor();
    await page.goto(`${url}/#/odds/${id}`);
    await page.locator('.plots figure').first().waitFor();
  }
}

/** Free play is played with what one wishes; what does not go is said beside the button. */
export async function freePlayTakesWishes({ url, open, shot }) {
  const { page } = await open();
  await page.goto(`${url}/#/?system=dogfite&scenario=free-play`);
  await page.locator('.wishes select').first().selectOption('fokker-e3');
  await page.getByRole('button', { name: 'Start the game' }).click();
  await page.locator('.go .refused', { hasText: 'apart' }).waitFor();
  await shot(page, 'free-play');
  await page.getByRole('checkbox', { name: 'Uneven' }).check();
  await page.getByRole('button', { name: 'Start the game' }).click();
  await page.locator('main.game').waitFor();
  await page.getByText('Fokker E.III').first().waitFor();
}

/** A rule's address leads to the rule; searching narrows the page. */
export async function rulesAreAddressable({ url, open, shot }) {
  const { page } = await open();
  const system = await (await fetch(`${url}/api/systems/schiffskrieg`)).json();
  const rule = system.rules[0];
  await page.goto(`${url}/#/rules/schiffskrieg/${rule.id}`);
  await page.locator('.named').waitFor();
  assert.match(await page.locator('.named').innerText(), new RegExp(rule.id));
  await shot(page, 'rules');
  await page.getByLabel('Search the rules').fill('zzzz-nothing');
  await page.getByText('Nothing found.').waitFor();
}

/** The first page is small, and all of it comes from the server. */
export async function theFirstPageIsSmall({ url, open }) {
  const { page, context } = await open();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', (event) => (bytes += event.encodedDataLength));
  await page.goto(url);
  await page.getByText('The system').waitFor();
  assert.ok(bytes > 0 && bytes < 250_000, `The first page takes ${bytes} bytes.`);
}

/** Every procedure of every system shows an example with its ruling at once; the empty form can be sent too, and gets a ruling or a refusal that says why. */
export async function everyProcedureHasAForm({ url, open }) {
  const { page } = await open();
  const patient = async () => {
    // Nobody else asks so much so fast: the server may want some patience.
    for (let tries = 0; tries < 20; tries++) {
      await page.locator('.ruling .object, .ruling .refused').first().waitFor();
      if ((await page.locator('.ruling .refused', { hasText: 'Too many requests' }).count()) === 0) return;
      await page.waitForTimeout(1000);
      await page.getByRole('button', { name: 'Rule on it' }).click();
    }
  };
  const systems = await (await fetch(`${url}/api/systems`)).json();
  for (const system of systems)
    for (const procedure of system.procedures) {
      await page.goto(`${url}/#/referee/${system.id}/${procedure.name}`);
      await page.locator(`form.facts[data-procedure="${procedure.name}"]`).waitFor();
      await page.getByText('Example.').waitFor();
      await patient();
      assert.equal(await page.locator('.ruling .object').count() > 0, true, `${system.id} ${procedure.name}: the example is ruled on`);
      await page.getByRole('button', { name: 'Empty form' }).click();
      await page.getByRole('button', { name: 'Rule on it' }).click();
      await page.getByRole('button', { name: 'Rule on it', disabled: false }).waitFor();
      await patient();
      const refused = page.locator('.ruling .refused');
      if ((await refused.count()) > 0) {
        const text = await refused.first().innerText();
        assert.doesNotMatch(text, /unknown-field|bad-json|does not answer|server answered/, `${system.id} ${procedure.name}: ${text}`);
      }
    }
}

/** A record is proved by its page; one that was touched is refused with the reason. */
export async function recordsAreProved({ url, open, shot }) {
  const found = await scenario(url, 'schiffskrieg');
  const game = await create(url, { system: 'schiffskrieg', scenario: found.id, seats: found.seats.map(() => ({ kind: 'human' })) });
  const [{ token }] = game.seats;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const resigned = await fetch(`${url}/api/games/${game.game}/resign`, { method: 'POST', headers, body: '{}' });
  assert.equal(resigned.status, 200);
  const record = await (await fetch(`${url}/api/games/${game.game}/export`, { headers })).text();
  const { page } = await open();
  await page.goto(`${url}/#/records`);
  await page.getByLabel('or its text').fill(record);
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('The record is whole').waitFor();
  await shot(page, 'records');
  // The same text becomes a game of one's own.
  const { page: reader } = await open();
  await reader.goto(`${url}/#/records`);
  await reader.getByLabel('or its text').fill(record);
  await reader.getByRole('button', { name: 'Import as a game' }).click();
  await reader.getByRole('link', { name: 'Look at the game' }).click();
  await reader.getByRole('tab', { name: 'Game' }).click();
  await reader.getByText('This server rolled none of its dice').waitFor();
  await page.getByLabel('or its text').fill(record.replace('"resign"', '"Resign"'));
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.locator('.refused').waitFor();
}

/** An account is made in the browser and lists the games made with it. */
export async function anAccountListsItsGames({ url, open, shot }) {
  const { page } = await open();
  await page.goto(`${url}/#/account`);
  await page.getByRole('button', { name: 'Make one' }).click();
  await page.getByLabel('Name').fill(`ann-${Date.now().toString(36)}`);
  await page.getByLabel('Password').fill('a long enough password');
  await page.getByRole('button', { name: 'Make the account' }).click();
  await page.getByText('None yet.').waitFor();
  await page.goto(`${url}/#/?system=schiffskrieg`);
  await page.getByRole('button', { name: 'Start the game' }).click();
  await page.locator('main.game').waitFor();
  await page.goto(`${url}/#/account`);
  await page.getByText('schiffskrieg').first().waitFor();
  await shot(page, 'account');
  // The list leads back to one's own seat without the link.
  await page.locator('main ul a').first().click();
  await page.locator('.seats li', { hasText: '(you)' }).waitFor();
  await page.goto(`${url}/#/account`);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
}
