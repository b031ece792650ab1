import { expect, test } from './fixtures.mjs';

const systems = ['carrier-strike', 'dogfite', 'fleet-action', 'world-at-war', 'schiffskrieg'];
const LIT = '.right button[data-lesson-lit]';

/** A page of the client. */
async function at(url, open, place, options) {
  const { page } = await open(options);
  await page.goto(`${url}/#/${place}`);
  return page;
}

/** How many steps of the lesson on a page have been taken. */
async function taken(page) {
  return Number(await page.locator('.lesson').getAttribute('data-step'));
}

/** The one lit control. */
async function lit(page) {
  const control = page.locator(LIT);
  await expect(control).toHaveCount(1);
  return control;
}

/** Uses lit controls, one after the other, until the step is taken. */
async function step(page, use) {
  const before = await taken(page);
  while ((await taken(page)) === before) {
    const control = await lit(page);
    const mark = await control.evaluate((one) => one.textContent);
    await use(page, control);
    await page.waitForFunction(
      ([selector, before, mark]) =>
        document.querySelector('.lesson')?.getAttribute('data-step') !== before ||
        (document.querySelector(selector)?.textContent ?? mark) !== mark,
      [LIT, String(before), mark],
    );
  }
}

const click = (_, control) => control.click();

/** Reaches the lit control by Tab within a few dozen stops, and inside a list by the arrow keys, and presses Enter. */
async function press(page) {
  const here = () =>
    page.evaluate(() => {
      const at = document.activeElement;
      if (at?.hasAttribute('data-lesson-lit')) return 'lit';
      return at?.closest('ol.options')?.querySelector('[data-lesson-lit]') ? 'list' : 'elsewhere';
    });
  for (let n = 0; n < 80; n++) {
    const place = await here();
    if (place === 'lit') return page.keyboard.press('Enter');
    await page.keyboard.press(place === 'list' ? 'ArrowDown' : 'Tab');
  }
  throw new Error('The lit control is out of reach of the keyboard.');
}

async function whole(page, use) {
  await expect(page.locator('.lesson .aim')).toContainText('You win if');
  const steps = Number(await page.locator('.lesson progress').getAttribute('max'));
  for (let n = 0; n < steps; n++) {
    await expect(page.locator('.lesson')).toHaveAttribute('data-step', String(n));
    await expect(page.locator('.lesson .say')).not.toBeEmpty();
    await step(page, use);
  }
  await expect(page.getByRole('heading', { name: 'You have finished the lesson' })).toBeVisible();
}

for (const system of systems) {
  test(`the guided battle of ${system} is finished by clicks`, async ({ url, open, shot }) => {
    const page = await at(url, open, `learn/${system}`);
    await page.locator('.lesson').waitFor();
    await shot(page, `lesson-${system}`);
    await whole(page, click);
    await shot(page, `lesson-${system}-end`);
  });

  test(`the guided battle of ${system} is finished by keyboard alone`, async ({ url, open }) => {
    const page = await at(url, open, `learn/${system}`);
    await page.locator('.lesson').waitFor();
    await whole(page, press);
  });
}

test('a lesson is left, taken back, resumed; another answer gets a friendly word', async ({ url, open }) => {
  // A lesson refuses the other answer.
  const page = await at(url, open, 'learn/schiffskrieg', { provoked: /\/api\/lessons\// });
  await page.locator('.lesson').waitFor();
  await step(page, click);
  await page.locator('button.option', { hasText: 'Break off' }).click();
  const sure = page.locator('[data-act="sure"], [data-act="confirm"]');
  while (await page.locator('.nudge').isHidden()) await sure.first().click();
  await expect(page.locator('.nudge')).toContainText('Fly another round');
  expect(await taken(page)).toBe(1);
  await step(page, click);
  await page.getByRole('button', { name: 'Step back' }).click();
  await expect(page.locator('.lesson')).toHaveAttribute('data-step', '1');
  await page.getByRole('link', { name: 'Leave the lesson' }).click();
  await page.getByRole('link', { name: /Resume at step 2.*Schiffskrieg/ }).click();
  await expect(page.locator('.lesson')).toHaveAttribute('data-step', '1');
  await page.reload();
  await expect(page.locator('.lesson')).toHaveAttribute('data-step', '1');
  await page.getByRole('button', { name: 'Start again' }).click();
  await expect(page.locator('.lesson')).toHaveAttribute('data-step', '0');
});

test('a rule opens beside the board at its paragraph, and Escape gives the board back', async ({ url, open }) => {
  const page = await at(url, open, 'learn/schiffskrieg');
  await page.locator('.question a.rule').click();
  const panel = page.getByRole('dialog', { name: 'Rules' });
  await expect(panel.locator('.lit-rule, section.here').first()).toBeVisible();
  // Pictures that come later do not push the paragraph away.
  await expect(panel.locator('figure')).not.toHaveCount(0);
  await expect(panel.locator('.lit-rule, section.here :is(h1, h2, h3, h4)').first()).toBeInViewport();
  await panel.getByRole('searchbox').fill('torpedo');
  await expect(panel.locator('article')).toContainText(/torpedo/i);
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(page.locator('.lesson')).toBeVisible();
});

test('every game screen says how to win and what happens now; a piece explains its numbers', async ({ url, open }) => {
  const page = await at(url, open, 'learn/schiffskrieg');
  const aim = page.getByRole('note', { name: 'Aim' });
  await expect(aim).toContainText('You win if you lead by');
  await expect(aim).toContainText('Now: Base Attack');
  await page.locator('[data-piece="illustrious"]').first().hover();
  await expect(page.getByRole('tooltip')).toContainText('Airstrike Factor');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tooltip')).toHaveCount(0);
});

test('the rules pages show their examples on the board', async ({ url, open }) => {
  for (const system of systems) {
    const page = await at(url, open, `rules/${system}`);
    await expect.poll(() => page.locator('figure svg').count()).toBeGreaterThanOrEqual(5);
    await page.close();
  }
});
