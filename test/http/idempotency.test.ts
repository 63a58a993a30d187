import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DomainError, type ErrorCode } from '../../shared/domain/errors.ts';
import { AlreadyDone, type IdempotencyRecord } from '../../shared/domain/idempotency.ts';
import { canonicalJson, type IdempotentRequest } from '../../shared/http/idempotency/answer-slot.ts';
import { type IdempotencyRecords, once } from '../../shared/http/idempotency/once.ts';
import type { HttpResponse } from '../../shared/http/problem.ts';

/** The table's part, as far as one process can play it; the conditions of the real one are tested with the refunds. */
class Records implements IdempotencyRecords {
  readonly kept = new Map<string, IdempotencyRecord>();

  async find(id: string, now: string) {
    const record = this.kept.get(id);
    return record && record.expiresAt > now ? record : undefined;
  }

  async save(record: IdempotencyRecord) {
    const existing = await this.find(record.id, record.createdAt);
    if (existing) throw new AlreadyDone(existing);
    this.kept.set(record.id, record);
  }

  async answer(record: IdempotencyRecord) {
    const existing = this.kept.get(record.id);
    if (existing && (existing.answer || existing.started !== record.started)) throw new AlreadyDone(existing);
    this.kept.set(record.id, record);
  }
}

const respond = (result: number): HttpResponse => ({ statusCode: 200, headers: {}, body: JSON.stringify({ result }) });
const request = (fields: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  routeKey: 'POST /things',
  path: '/things',
  requestId: 'request-1',
  key: 'key',
  keyless: undefined,
  body: { a: 1 },
  now: new Date('2026-03-01T12:00:00Z'),
  ...fields,
});

/** A command that counts its effects; each leaves its records with it, as one transaction does. */
function counter() {
  const records = new Records();
  const state = { effects: 0 };
  const run = (fields: Partial<IdempotentRequest> = {}, fails?: () => Error) =>
    once(request(fields), records, { respond, keep: respond }, async (claim) => {
      if (fails) throw fails();
      const result = state.effects + 1;
      for (const record of claim(result)) await records.save(record);
      state.effects = result;
      return result;
    });
  return { records, state, run };
}

const refusal = (code: ErrorCode) => () => new DomainError(code, `Because of ${code}.`);
const codeOf = (answer: Promise<HttpResponse>) =>
  answer.then(
    ({ statusCode, headers }) => (headers['idempotent-replayed'] ? `${statusCode} replayed` : String(statusCode)),
    (error) => error.code as string,
  );

describe('a command with an Idempotency-Key', () => {
  it('has one effect, and every repetition gets the same bytes as answer', async () => {
    const { run, state } = counter();
    const first = await run();
    for (let time = 0; time < 100; time += 1) {
      const again = await run();
      expect({ status: again.statusCode, body: again.body }).toEqual({ status: 200, body: first.body });
      expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true', 'content-type': 'application/json' });
    }
    expect(state.effects).toBe(1);
  });

  it('has an effect every time when the key is left out', async () => {
    const { run, state } = counter();
    for (let time = 0; time < 3; time += 1) await run({ key: undefined });
    expect(state.effects).toBe(3);
  });

  it('is refused without effect when any part of the repeated request differs', async () => {
    const { run, state } = counter();
    await run();
    await expect(codeOf(run({ body: { a: 2 } }))).resolves.toBe('IDEMPOTENCY_KEY_REUSED');
    await expect(codeOf(run({ path: '/things/2' }))).resolves.toBe('IDEMPOTENCY_KEY_REUSED');
    expect(state.effects).toBe(1);
  });

  it('is a new command when the same key is sent to another route', async () => {
    const { run, state } = counter();
    await run();
    await run({ routeKey: 'PATCH /things/{id}', path: '/things/1' });
    expect(state.effects).toBe(2);
  });

  it.each([
    ['47 hours later', 47, '200 replayed', 1],
    ['a millisecond before 48 hours', 48 - 1 / 3_600_000, '200 replayed', 1],
    ['48 hours later', 48, '200', 2],
    ['49 hours later', 49, '200', 2],
  ])('that is repeated %s is answered with %3$s', async (_, hours, answer, effects) => {
    const { run, state } = counter();
    await run();
    const later = new Date(request().now.getTime() + hours * 3_600_000);
    await expect(codeOf(run({ now: later }))).resolves.toBe(answer);
    expect(state.effects).toBe(effects);
  });

  it('has one effect when twenty copies run at the same time', async () => {
    const { run, state } = counter();
    const answers = await Promise.all(Array.from({ length: 20 }, () => run()));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(state.effects).toBe(1);
  });

  it('gets the success of a parallel copy as answer, even if this copy was refused', async () => {
    const { records, run } = counter();
    const loser = once(request(), records, { respond, keep: respond }, async () => {
      await run();
      throw refusal('PAYMENT_ALREADY_REFUNDED')();
    });
    await expect(codeOf(loser)).resolves.toBe('200 replayed');
  });

  it.each([
    ['REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT', '422 replayed'],
    ['REQUEST_AMOUNT_BELOW_MINIMUM', '422 replayed'],
    ['NOT_FOUND', '404 replayed'],
    ['CHECKOUT_SESSION_CONSUMED', '409 replayed'],
    ['CHECKOUT_SESSION_EXPIRED', '410 replayed'],
    ['REFUND_LIMIT_EXCEEDED', '200'],
    ['UNAUTHORIZED', '200'],
    ['FORBIDDEN', '200'],
    ['UNPARSABLE_BODY', '200'],
    ['PAYLOAD_TOO_LARGE', '200'],
    ['UNSUPPORTED_MEDIA_TYPE', '200'],
    ['TOO_MANY_REQUESTS', '200'],
    ['IDEMPOTENCY_IN_PROGRESS', '200'],
    ['INTERNAL_SERVER_ERROR', '200'],
    ['SERVICE_UNAVAILABLE', '200'],
  ] as const)('that was refused with %s is answered with %s when it is repeated', async (code, next) => {
    const { run } = counter();
    await expect(codeOf(run({}, refusal(code)))).resolves.toBe(code);
    await expect(codeOf(run())).resolves.toBe(next);
  });

  it('that failed because of a defect runs again when it is repeated', async () => {
    const { run } = counter();
    await expect(run({}, () => new TypeError('a defect'))).rejects.toThrow('a defect');
    await expect(codeOf(run())).resolves.toBe('200');
  });

  it('that was refused with a 409 is answered the same again, with the advice not to retry', async () => {
    const { run } = counter();
    await codeOf(run({}, refusal('CHECKOUT_SESSION_CONSUMED')));
    expect((await run()).headers).toMatchObject({
      'x-should-retry': 'false',
      'content-type': 'application/problem+json',
    });
  });
});

/** A command of two transactions that begins something, and brings it to its end in its own time. */
function workshop() {
  const records = new Records();
  const started: string[] = [];
  const states = new Map<string, string>();
  const state = { dies: false, status: 'done' };
  const finish = async (id: string) => {
    if (state.dies) throw new TypeError('The process died.');
    states.set(id, states.get(id) ?? state.status);
    return { id, status: states.get(id) ?? '' };
  };
  const present = (result: { id: string; status: string }): HttpResponse => ({
    statusCode: 200,
    headers: {},
    body: JSON.stringify(result),
  });
  const continuation = { started: ({ id }: { id: string }) => id, resume: finish };
  const run = (fields: Partial<IdempotentRequest> = {}) =>
    once(request(fields), records, { respond: present, keep: present, continuation }, async (claim) => {
      const id = `thing_${started.length + 1}`;
      for (const record of claim({ id, status: 'started' })) await records.save(record);
      started.push(id);
      return finish(id);
    });
  return { records, started, state, run };
}

describe('a command of two transactions with an Idempotency-Key', () => {
  it('gets its final result as answer, and every repetition the same bytes, even after later changes', async () => {
    const { run, state, started } = workshop();
    const first = await run();
    expect([first.body, first.headers['idempotent-replayed']]).toEqual(['{"id":"thing_1","status":"done"}', undefined]);
    state.status = 'undone';
    for (let time = 0; time < 3; time += 1)
      expect(await run()).toMatchObject({ body: first.body, headers: { 'idempotent-replayed': 'true' } });
    expect(started).toEqual(['thing_1']);
  });

  it('is started once, and a repetition continues it after a crash between its transactions', async () => {
    const { run, state, started } = workshop();
    state.dies = true;
    await expect(run()).rejects.toThrow('The process died.');
    await expect(run()).rejects.toThrow('The process died.');
    state.dies = false;
    expect((await run()).body).toBe('{"id":"thing_1","status":"done"}');
    state.status = 'undone';
    expect((await run()).body).toBe('{"id":"thing_1","status":"done"}');
    expect(started).toEqual(['thing_1']);
  });

  it('has one answer even if the first request and its repetition finish differently at the same time', async () => {
    const { run, records } = workshop();
    const first = await run();
    const kept = [...records.kept.values()][0] as IdempotencyRecord;
    // the repetition has read the claim before the first sending has stored its answer
    records.kept.set(kept.id, { ...kept, answer: null });
    const { answer } = records;
    records.answer = async (record) => {
      records.answer = answer;
      await records.answer({ ...record, answer: { status: 200, body: first.body } });
      await records.answer({ ...record, answer: { status: 200, body: 'another' } });
    };
    expect((await run()).body).toBe(first.body);
  });

  it('is refused if another request has its key, even while that request is still running', async () => {
    const { run, state } = workshop();
    state.dies = true;
    await expect(run()).rejects.toThrow('The process died.');
    await expect(codeOf(run({ body: { a: 2 } }))).resolves.toBe('IDEMPOTENCY_KEY_REUSED');
  });
});

describe('an Idempotency-Key', () => {
  const longest = 'k'.repeat(255);

  it.each([
    ['k'],
    [longest],
    ['8e03978e-40d5-43e8-bc93-6894a57f9324'],
    ['a b'],
    ['!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'],
    ['"quoted"'],
    [`"${longest}"`],
    ['a"b'],
    ['#'],
  ])('may be %j', async (key) => {
    await expect(codeOf(counter().run({ key }))).resolves.toBe('200');
  });

  it.each([
    [''],
    ['""'],
    ['k'.repeat(256)],
    [`"${'k'.repeat(256)}"`],
    [' '],
    ['a\tb'],
    ['a\u0000b'],
    ['schlüssel'],
    ['🐦'],
    ['a\nb'],
  ])('may not be %j', async (key) => {
    const { run, state } = counter();
    await expect(codeOf(run({ key }))).resolves.toBe('INVALID_REQUEST_PARAMETERS');
    expect(state.effects).toBe(0);
  });

  it('is the same key with and without quotation marks', async () => {
    const { run, state } = counter();
    await run({ key: 'abc' });
    await expect(codeOf(run({ key: '"abc"' }))).resolves.toBe('200 replayed');
    await run({ key: '"ab"c' });
    expect(state.effects).toBe(2);
  });

  it('is a different key when upper and lower case differ', async () => {
    const { run, state } = counter();
    for (const key of ['abc', 'Abc', 'abc.', 'ab c']) await run({ key });
    expect(state.effects).toBe(4);
  });

  it('is stored only as a hash', async () => {
    const { records, run } = counter();
    await run({ key: 'visible-key' });
    expect(JSON.stringify([...records.kept.values()])).not.toMatch(/visible-key/);
  });
});

describe('the canonical form of JSON', () => {
  it.each([
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [{ a: { d: 1, c: [{ z: 1, y: 2 }] } }, '{"a":{"c":[{"y":2,"z":1}],"d":1}}'],
    [{ a: undefined, b: null }, '{"b":null}'],
    [[3, 1, 2], '[3,1,2]'],
    [undefined, 'null'],
    ['text', '"text"'],
    [{ ä: 'ö', a: '"' }, '{"a":"\\"","ä":"ö"}'],
  ])('of %j is %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  /** The same value with its keys in another order. */
  function shuffled(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(shuffled);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, member]) => [key, shuffled(member)]),
    );
  }

  const value = fc.dictionary(fc.string({ minLength: 1, maxLength: 5 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 });

  it('does not depend on the order of keys, in 1 000 cases', () => {
    fc.assert(
      fc.property(value, (given) => {
        expect(canonicalJson(shuffled(given))).toBe(canonicalJson(given));
      }),
      { numRuns: 1_000 },
    );
  });

  it('differs for any two different values, in 1 000 cases', () => {
    fc.assert(
      fc.property(value, value, (one, two) => {
        const same = isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(two)));
        expect(canonicalJson(one) === canonicalJson(two)).toBe(same);
      }),
      { numRuns: 1_000 },
    );
  });
});
