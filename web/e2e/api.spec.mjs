// The interface for programs: its document is valid, and a client made from it plays.
import createClient from 'openapi-fetch';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from './fixtures.mjs';

test('the OpenAPI document is valid', async ({ url }) => {
  const document = await (await fetch(`${url}/api/openapi.json`)).json();
  const { valid, errors } = await new Validator().validate(document);
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
});

test('a client made from the document plays a game', async ({ url }) => {
  const client = createClient({ baseUrl: url });
  const { data: systems } = await client.GET('/api/systems');
  const system = systems.find((one) => one.id === 'schiffskrieg');
  const { data: created, response } = await client.POST('/api/games', {
    body: {
      system: system.id,
      scenario: system.scenarios[0].id,
      seats: [{ kind: 'human' }, { kind: 'computer', player: 'greedy' }],
      dice: 'seeded',
      seed: '7',
    },
  });
  expect(response.status).toBe(201);
  const params = { path: { id: created.game } };
  const headers = { Authorization: `Bearer ${created.seats[0].token}` };
  let answered = 0;
  for (let turn = 0; turn < 400; turn++) {
    const { data: state } = await client.GET('/api/games/{id}', { params, headers });
    if (state.situation.outcome) break;
    if (!state.situation.question) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      continue;
    }
    const { error } = await client.POST('/api/games/{id}/answer', {
      params,
      headers,
      body: { id: `turn-${turn}`, at: state.situation.at, value: state.situation.question.options[0].value },
    });
    expect(error?.error?.code ?? 'accepted').toMatch(/^(accepted|moved-on)$/);
    answered++;
  }
  expect(answered).toBeGreaterThan(0);
  const { error, response: refused } = await client.POST('/api/games/{id}/answer', {
    params,
    headers,
    body: { id: 'late', at: 0, value: 'nonsense' },
  });
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(error.error.code).toBeTruthy();
});
