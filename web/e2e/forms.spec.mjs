import { address, ask, atRest, create, middle, moved, people, send, until } from './help.mjs';
import { expect, test } from './fixtures.mjs';

const duel = (url) =>
  create(url, {
    system: 'carrier-strike',
    scenario: 'coral-sea',
    dice: 'seeded',
    seed: '7',
    seats: people({ seats: [0, 1] }),
  });

/** Drags from one point of the window to another. */
async function drag(page, from, to) {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 3 });
  await page.mouse.move(...to, { steps: 3 });
}

/** Where the cards of a seat lie, as it sees them: the real one, then the decoy. */
async function cards(url, game, seat) {
  const { situation } = await ask(url, game.game, game.seats[seat].token);
  const own = situation.scene.pieces.filter((piece) => piece.kind === 'card' && piece.states?.includes('hidden'));
  return ['real', 'decoy'].map((what) => own.find((piece) => piece.states.includes(what)).place.point);
}

async function noJson(page) {
  await expect(page.locator('.question textarea')).toHaveCount(0);
  await expect(page.locator('.question')).not.toContainText('JSON');
}

/** Cards are dragged along the home edge and stay on it; the other side places its cards by keys alone. */
test('cards are laid by hand and by keys', async ({ url, open, shot }) => {
  const game = await duel(url);
  const { page: ann } = await open();
  await ann.goto(address(url, game, 0));
  await expect(ann.locator('[data-place="real"]')).toBeVisible();
  await atRest(ann);
  await noJson(ann);
  const field = (page, what) => page.getByLabel(what, { exact: true });
  const [x, y] = await middle(ann.locator('[data-place="real"] .touch'));
  const [, edge] = await middle(ann.locator('[data-place="decoy"] .touch'));
  await drag(ann, [x, y], [x - 60, y - 90]);
  const [heldX, heldY] = await middle(ann.locator('[data-place="real"] .touch'));
  expect(Math.abs(heldX - (x - 60)), 'it follows the hand').toBeLessThan(3);
  expect(Math.abs(heldY - edge), 'along the edge').toBeLessThan(3);
  await expect(field(ann, 'Carrier group: east'), 'the field goes with it').not.toHaveValue('4');
  await shot(ann, 'cards-dragged');
  await ann.mouse.up();
  const real = Number(await field(ann, 'Carrier group: east').inputValue());
  expect(real, 'the field says where it is').toBeGreaterThan(0);
  expect(real, 'the field says where it is').toBeLessThan(4);
  await expect(field(ann, 'Carrier group: north')).toHaveValue('0');
  // One click picks the decoy, another places it; an arrow key moves it on.
  await ann.locator('[data-place="decoy"] .touch').click();
  await ann.mouse.click(x + 150, y - 200);
  await expect(field(ann, 'Decoy: east'), 'the click lays it').not.toHaveValue('8');
  const laid = Number(await field(ann, 'Decoy: east').inputValue());
  const perPixel = (4 - real) / 60;
  expect(Math.abs(laid - (4 + 150 * perPixel)), 'where the click was').toBeLessThan(10 * perPixel);
  await ann.locator('[data-place="decoy"] .touch').focus();
  await ann.keyboard.press('ArrowRight');
  await ann.keyboard.press('ArrowUp');
  await expect(field(ann, 'Decoy: east')).toHaveValue(String(Math.round(laid * 1000 + 100) / 1000));
  await expect(ann.getByText('You can do this.')).toBeVisible();
  const at = await ann.locator('.question').getAttribute('data-at');
  await send(ann);
  await moved(ann, at);
  expect(await cards(url, game, 0)).toEqual([
    [Math.round(real * 1000), 0],
    [Math.round(laid * 1000 + 100), 0],
  ]);

  const { page: bob } = await open();
  await bob.goto(address(url, game, 1));
  await expect(bob.locator('.question')).toBeVisible();
  const type = async (what, text) => {
    for (let tab = 0; tab < 60 && !(await field(bob, what).evaluate((one) => one === document.activeElement)); tab++)
      await bob.keyboard.press('Tab');
    await bob.keyboard.press('Control+a');
    await bob.keyboard.type(text);
    await bob.keyboard.press('Tab');
  };
  await bob.locator('#asked').focus();
  await type('Carrier group: east', '3');
  await type('Decoy: east', '3.1');
  await expect(bob.getByText('Two carrier cards may not overlap.')).toBeVisible();
  await bob.locator('#asked').focus();
  await type('Decoy: east', '7.25');
  const then = await bob.locator('.question').getAttribute('data-at');
  await bob.keyboard.press('Control+Enter');
  await moved(bob, then);
  const [[home], [decoy]] = await cards(url, game, 1);
  expect([home, decoy]).toEqual([3000, 7250]);

  // Each squadron gets its role from its own list; all need one before there is an answer.
  await expect(ann.getByText('Still to choose:')).toBeVisible();
  await noJson(ann);
  const lists = ann.locator('.question select');
  for (let n = 0; n < (await lists.count()); n++)
    await lists.nth(n).selectOption({ label: n === 0 ? 'as fighters' : 'for strikes' });
  await shot(ann, 'roles');
  const armed = await ann.locator('.question').getAttribute('data-at');
  await send(ann);
  await moved(ann, armed);
});

/** A carrier card is dragged no farther than it can steam; a launch is marked around the card. */
test('carriers steam and launch by hand', async ({ url, open, shot }) => {
  const game = await duel(url);
  const met = await until(url, game, (question) => question.prompt.code === 'choose-action');
  const { page } = await open();
  await page.goto(address(url, game, met.seat));
  const card = met.state.situation.scene.pieces.find(
    (piece) => piece.kind === 'card' && piece.states?.includes('real'),
  );
  await expect(page.locator(`[data-piece="${card.id}"]`)).toBeVisible();
  await atRest(page);
  const [x, y] = await middle(page.locator(`[data-piece="${card.id}"] .touch`));
  await drag(page, [x, y], [x + 200, y]);
  await page.mouse.up();
  const [cardX, cardY] = card.place.point;
  const places = met.question.form.ways.flatMap(([, way]) => way.places ?? []);
  const { label } = places.find((place) => place.id === card.id);
  const field = (axis) => page.getByLabel(`${label}: ${axis}`, { exact: true });
  const [toX, toY] = [
    Number(await field('east').inputValue()) * 1000,
    Number(await field('north').inputValue()) * 1000,
  ];
  const gone = Math.hypot(toX - cardX, toY - cardY);
  expect(Math.abs(gone - 1000), `it goes as far as it can: ${toX}, ${toY}`).toBeLessThanOrEqual(2);
  await shot(page, 'steaming');
  await page.getByRole('button', { name: 'Stay', exact: true }).click();
  await expect(field('east'), 'it has no point any more').toHaveCount(0);
  const place = page.getByRole('group', { name: label });
  await expect(place.getByText('stays where it is')).toBeVisible();
  const launch = met.question.form.ways.findIndex(([name]) => /^launch /i.test(name));
  expect(launch).toBeGreaterThan(0);
  await page.locator('.way select').selectOption(String(launch));
  await expect(page.locator('[data-place]')).toBeVisible();
  await page.mouse.click(x + 40, y - 60);
  await expect(page.locator('.foreseen p').first()).toBeVisible();
  await shot(page, 'launching');
  const at = await page.locator('.question').getAttribute('data-at');
  await send(page);
  await moved(page, at);
  const after = await ask(url, game.game, game.seats[met.seat].token);
  expect(after.situation.scene.pieces.length, 'it is in the air').toBe(met.state.situation.scene.pieces.length + 1);
});
