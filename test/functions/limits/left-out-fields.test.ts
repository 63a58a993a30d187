import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { dayMs } from '../../../shared/domain/duration.ts';
import { leftOutFields, now, table, world } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { fieldGuide } from '../../support/shop/shop.ts';
import { type Send, sendThrough } from '../../support/table/send-through.ts';
import { expectProblem } from '../../support/wire/problem.ts';
import { type FieldShop, notesIn, openFieldShop, unsupportedFields } from '../../support/wire/unsupported-fields.ts';

let shop: FieldShop;
/** A stack of version 0.2.0, whose merchant's file does not have `strictFields`. */
beforeAll(async () => {
  shop = await openFieldShop(undefined);
});
afterAll(() => shop.api.stop());
beforeEach(() => void shop.api.log.splice(0));

const dayIn = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

it.each(unsupportedFields)(
  '$route ignores the field $field if it has an effect elsewhere, and logs its name without the value',
  async ({ route, field, something, noted = field }) => {
    for (const value of something) {
      shop.api.log.splice(0);
      expect(await shop.send(route, field, value)).toMatchObject({ status: 200 });
      expect(notesIn(shop.api.log)).toEqual([
        {
          level: 'warn',
          message: 'unsupported fields left out',
          request_id: expect.any(String),
          route: expect.stringContaining(route.split('/')[1] ?? ''),
          fields: [noted],
        },
      ]);
    }
    expect((await leftOutFields().all()).map(({ name }) => name)).toContain(noted);
  },
);

it.each(unsupportedFields)(
  '$route logs nothing if the field $field has an empty or default value',
  async ({ route, field, nothing }) => {
    for (const value of nothing) expect(await shop.send(route, field, value)).toMatchObject({ status: 200 });
    expect(notesIn(shop.api.log)).toEqual([]);
  },
);

it('every command that ignores fields without effect records each field once on each day', async () => {
  const { product_id } = (await shop.api.call('POST /products', { body: fieldGuide })).body;
  const customer = { email: 'left-out@example.com', name: 'A Reader', preferred_locale: 'de' };
  const { customer_id } = (
    await shop.api.call('POST /customers', {
      body: { ...customer, email: 'known@example.com', preferred_locale: undefined },
    })
  ).body;
  const { id: webhook } = (await shop.api.call('POST /webhooks', { body: { url: 'https://shop.example/hooks' } })).body;
  const commands = [
    { request: 'POST /customers', body: customer },
    { request: `PATCH /customers/${customer_id}`, body: { preferred_locale: 'de' } },
    { request: 'POST /webhooks', body: { url: 'https://shop.example/hooks', rate_limit: 5 } },
    { request: `PATCH /webhooks/${webhook}`, body: { rate_limit: 5 } },
    { request: `PATCH /products/${product_id}`, body: { addons: ['adn_1'] } },
    { request: 'POST /brands', body: { name: 'North', statement_descriptor: 'NORTH*' } },
  ];
  for (const [index, { request, body }] of commands.entries()) {
    clock.forward({ days: 100 + index });
    expect((await shop.api.call(request, { body })).status).toBe(200);
    const today = now().toISOString().slice(0, 10);
    expect((await leftOutFields().all()).filter(({ lastDay }) => lastDay === today)).toHaveLength(1);
    clock.run();
  }
});

it('requests that version 0.2.0 refused are still refused', async () => {
  const body = { ...fieldGuide, addons: ['adn_1'], colour: 'red' };
  expectProblem(await shop.api.call('POST /products', { body }), 422, 'INVALID_REQUEST_BODY', 'colour');
  expectProblem(await shop.send('POST /checkouts', 'confirm', true), 422, 'INVALID_REQUEST_PARAMETERS', 'confirm');
});

it('a request with a wrong API key records no ignored field', async () => {
  const body = { ...fieldGuide, addons: ['adn_1'] };
  expect((await shop.api.call('POST /products', { body, key: 'sk_test_wrong' })).status).toBe(401);
  expect(notesIn(shop.api.log)).toEqual([]);
});

/** Runs requests on another day, with their notes given to `keep` instead of the table. */
async function keepingNotes<Result>(
  { day, keep }: { day: string; keep: (send: () => ReturnType<Send>) => ReturnType<Send> },
  act: () => Promise<Result>,
): Promise<Result> {
  const { now: real } = world;
  const restore = sendThrough(table().client, (send) => (command) => {
    const isNote = JSON.stringify(command.input).includes('LEFT_OUT') && command.constructor.name === 'UpdateCommand';
    return isNote ? keep(() => send(command)) : send(command);
  });
  world.now = () => new Date(Date.parse(day));
  return act().finally(() => {
    restore();
    world.now = real;
  });
}

it('the table is written once a day for each ignored field, and not for requests without one', async () => {
  const keep = vi.fn((send: () => ReturnType<Send>) => send());
  await keepingNotes({ day: dayIn(1), keep }, async () => {
    for (const value of [false, null]) await shop.send('POST /checkouts', 'force_3ds', value);
    expect(notesIn(shop.api.log)).toEqual([]);
    for (let times = 0; times < 3; times += 1) await shop.send('POST /checkouts', 'force_3ds', true);
  });
  expect(notesIn(shop.api.log)).toHaveLength(3);
  expect(keep).toHaveBeenCalledTimes(1);
  expect(await leftOutFields().all()).toContainEqual({ name: 'force_3ds', lastDay: dayIn(1) });
});

it('a request is answered even if its ignored field cannot be recorded', async () => {
  const keep = vi.fn(async () => Promise.reject(new Error('no table')));
  const ask = () => shop.send('POST /checkouts/preview', 'force_3ds', true);
  expect((await keepingNotes({ day: dayIn(2), keep }, ask)).status).toBe(200);
  expect(keep).toHaveBeenCalledTimes(1);
  expect(shop.api.log.join('\n')).toContain('unsupported fields not noted');
});

it('the overview names the ignored fields of the last thirty days', async () => {
  await leftOutFields().note(['custom_fields', 'force_3ds'], now().toISOString().slice(0, 10));
  await leftOutFields().note(['addons'], dayIn(-40));
  const { cookies } = await browse(shop.api, await shop.api.addKey({ access: 'read' }));
  const { text } = await shop.api.call('GET /dashboard', { cookies, key: null });
  expect(text).toContain('Fields without effect:');
  expect(text).toMatch(/<code>custom_fields<\/code> \([^)]+\), .*<code>force_3ds<\/code>/);
  expect(text).not.toContain('<code>addons</code>');
});
