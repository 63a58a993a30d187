import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type ApiAnswer, startApiThroughSdk } from '../support/shop/api.ts';
import { addProduct, createSession, fieldGuide, sell, support } from '../support/shop/shop.ts';
import { countRows } from '../support/table/rows.ts';
import { expectProblem } from '../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApiThroughSdk();
});
afterAll(() => api.stop());

interface Command {
  request: string;
  body?: object;
}

/** One command of every kind that leaves something behind, on objects of its own. */
const commands: Record<string, () => Promise<Command>> = {
  'POST /products': async () => ({ request: 'POST /products', body: { ...support, metadata: { a: 1, b: 'two' } } }),
  'PATCH /products/{id}': async () => ({
    request: `PATCH /products/${await addProduct(api)}`,
    body: { name: 'Renamed', description: 'Other.', metadata: { a: 1, b: 2 } },
  }),
  'DELETE /products/{id}': async () => ({ request: `DELETE /products/${await addProduct(api)}` }),
  'POST /products/{id}/unarchive': async () => {
    const id = await addProduct(api);
    await api.call(`DELETE /products/${id}`);
    return { request: `POST /products/${id}/unarchive` };
  },
  'POST /checkouts': async () => ({
    request: 'POST /checkouts',
    body: { product_cart: [{ product_id: await addProduct(api), quantity: 2 }], metadata: { a: 1, b: 2 } },
  }),
  'POST /checkout-sessions/create': async () => ({
    request: 'POST /checkout-sessions/create',
    body: {
      product_cart: [{ product_id: await addProduct(api), quantity: 2 }],
      customer: { email: 'a@example.com', name: 'A' },
    },
  }),
  'POST /checkouts/{id}/expire': async () => ({
    request: `POST /checkouts/${await createSession(api, [{ product_id: await addProduct(api), quantity: 1 }])}/expire`,
  }),
  'POST /refunds': async () => ({
    request: 'POST /refunds',
    body: { payment_id: (await sell(api)).paymentId, amount: 100, reason: 'Torn', metadata: { a: 1 } },
  }),
  'POST /webhooks': async () => ({
    request: 'POST /webhooks',
    body: { url: 'https://shop.example/webhooks', description: 'Shop', filter_types: ['payment.succeeded'] },
  }),
};
const kinds = Object.keys(commands);
const withBody = kinds.filter((kind) => !/DELETE|unarchive|expire/.test(kind));

const run = (command: Command, key: string, body: unknown = command.body): Promise<ApiAnswer> =>
  api.call(command.request, { headers: { 'idempotency-key': key }, ...(body === undefined ? {} : { body }) });
const runRaw = (command: Command, key: string, text: string): Promise<ApiAnswer> =>
  api.call(command.request, { headers: { 'idempotency-key': key }, raw: Buffer.from(text) });

const prepare = async (kind: string): Promise<Command> => (commands[kind] as () => Promise<Command>)();

let serial = 0;
const newKey = (): string => {
  serial += 1;
  return `conformance-${serial}`;
};

function expectReplay(answer: ApiAnswer, of: ApiAnswer): void {
  expect({ status: answer.status, text: answer.text, type: answer.headers['content-type'] }).toEqual({
    status: of.status,
    text: of.text,
    type: of.headers['content-type'],
  });
  expect(answer.headers['idempotent-replayed']).toBe('true');
}

describe.each(kinds)('%s with an Idempotency-Key', (kind) => {
  it('has one effect, and 100 repetitions get the same bytes as the first answer', async () => {
    const [command, key] = [await prepare(kind), newKey()];
    const first = await run(command, key);
    expect(first.status).toBe(200);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    const rows = await countRows(api);
    for (let time = 0; time < 100; time += 1) expectReplay(await run(command, key), first);
    expect(await countRows(api)).toEqual(rows);
  });

  it('has one effect when ten copies arrive at once, and all get the same answer', async () => {
    const [command, key] = [await prepare(kind), newKey()];
    const answers = await Promise.all(Array.from({ length: 10 }, () => run(command, key)));
    const done = answers.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThan(0);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    for (const answer of answers)
      if (answer.status !== 200) {
        expectProblem(answer, 409, 'IDEMPOTENCY_IN_PROGRESS');
        expect(answer.headers['retry-after']).toMatch(/^\d+$/);
      }
    expectReplay(await run(command, key), done[0] as ApiAnswer);
  });
});

/** Every leaf of a body with another value, one at a time. */
function mutations(body: unknown): unknown[] {
  if (Array.isArray(body)) return body.flatMap((member, at) => mutations(member).map((other) => body.with(at, other)));
  if (typeof body === 'object' && body !== null)
    return Object.entries(body).flatMap(([name, member]) =>
      mutations(member).map((other) => ({ ...body, [name]: other })),
    );
  if (typeof body === 'number') return [body + 1, body + 2, body + 3];
  if (typeof body === 'boolean') return [!body];
  return [];
}

/** The same body as other JSON: keys in another order, other white space, characters escaped. */
function spellings(body: object, count: number): string[] {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, member]) => [name, reversed(member)]),
    );
  };
  return Array.from({ length: count }, (_, at) => {
    const text = JSON.stringify(at % 2 ? reversed(body) : body, null, at % 5);
    const spaced = `${' '.repeat(at % 7)}${text}${'\n'.repeat(at % 3)}`;
    return at % 4 === 3 ? spaced.replaceAll('o', '\\u006f') : spaced;
  });
}

describe('the body under an Idempotency-Key', () => {
  it.each(withBody)(
    'of %s is the same if only its JSON spelling differs, and another if a number or flag differs',
    async (kind) => {
      const [command, key] = [await prepare(kind), newKey()];
      const first = await run(command, key);
      for (const text of spellings(command.body ?? {}, 40)) expectReplay(await runRaw(command, key, text), first);
      const rows = await countRows(api);
      const noted = Array.from({ length: 34 }, (_, at) => ({ ...command.body, metadata: { other: `${at}` } }));
      let reused = 0;
      for (const other of [...mutations(command.body), ...noted]) {
        const answer = await run(command, key, other);
        if (answer.body.code === 'IDEMPOTENCY_KEY_REUSED') reused += 1;
        expect(answer.status).toBeGreaterThanOrEqual(400); // some of them are not valid at all
      }
      expect(reused).toBeGreaterThanOrEqual(34); // on six routes: 204 and more
      expect(await countRows(api)).toEqual(rows);
      expectReplay(await run(command, key), first);
    },
  );
});

describe('one Idempotency-Key', () => {
  it('that is reused on several routes has an effect on each route', async () => {
    const key = newKey();
    for (const kind of kinds) {
      const answer = await run(await prepare(kind), key);
      expect({ kind, status: answer.status, replayed: answer.headers['idempotent-replayed'] }).toEqual({
        kind,
        status: 200,
        replayed: undefined,
      });
    }
  });

  it('that is reused for a second object of the same route is refused', async () => {
    const key = newKey();
    const [one, other] = [await prepare('PATCH /products/{id}'), await prepare('PATCH /products/{id}')];
    await run(one, key);
    expectProblem(await run(other, key), 422, 'IDEMPOTENCY_KEY_REUSED');
  });

  it('repeats the stored answer of a command that changed nothing, such as unarchiving a product that is on sale', async () => {
    const [id, key] = [await addProduct(api), newKey()];
    const command = { request: `POST /products/${id}/unarchive` };
    const first = await run(command, key);
    await api.call(`PATCH /products/${id}`, { body: { name: 'Renamed since' } });
    expectReplay(await run(command, key), first);
  });

  it('stores the answer even for the largest session that is allowed', async () => {
    const product = await addProduct(api, { ...fieldGuide, name: 'x'.repeat(100), description: 'x'.repeat(1_000) });
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`${at}`.padStart(40, 'k'), '🐦'.repeat(500)]),
    );
    const command = {
      request: 'POST /checkouts',
      body: { product_cart: [{ product_id: product, quantity: 1 }], metadata },
    };
    const key = newKey();
    const first = await run(command, key);
    expect(first.status).toBe(200);
    expect(first.text.length).toBeLessThan(16 * 1_024);
    expectReplay(await run(command, key), first);
    const created = await api.call(`GET /checkouts/${first.body.session_id}`);
    expect(created.body.metadata).toEqual(metadata);
  });
});
