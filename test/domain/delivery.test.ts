import { describe, expect, it } from 'vitest';
import {
  type AttemptOutcome,
  afterAttempt,
  createDelivery,
  type Delivery,
  reopenDelivery,
} from '../../shared/domain/webhooks/delivery.ts';
import {
  isBriefFailure,
  maxTries,
  retryAfterSeconds,
  retryDelaysSeconds,
} from '../../shared/domain/webhooks/retry-schedule.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const timing = { startedAt: now, now, random: () => 0.5, speed: 1 };
const answered = (status: number, retryAfter: string | null = null): AttemptOutcome => ({
  status,
  error: status < 300 ? null : 'status',
  latencyMs: 10,
  answer: '',
  retryAfter,
});
const timeout: AttemptOutcome = { ...answered(500), status: null, error: 'timeout' };
const fresh = createDelivery({ id: 'evt_1', type: 'payment.succeeded' }, 'whk_1', now.toISOString(), now.toISOString());
const afterTries = (tries: number): Delivery => ({ ...fresh, tries });
const delayOf = ({ nextAttemptAt }: Delivery) => (Date.parse(nextAttemptAt ?? '') - now.getTime()) / 1_000;

describe('the schedule of a webhook delivery', () => {
  it('has ten attempts over 75 hours and 35 minutes', () => {
    const total = retryDelaysSeconds.reduce((sum, delay) => sum + delay, 0);
    expect(maxTries).toBe(10);
    expect(total).toBe(75 * 3_600 + 35 * 60 + 5); // 5 s + 5 m + 30 m + 2 + 5 + 10 + 14 + 20 + 24 h
  });

  it.each(retryDelaysSeconds.map((delay, index) => ({ tries: index + 1, delay })))(
    'waits $delay s ±20 % after attempt $tries',
    ({ tries, delay }) => {
      for (const [random, factor] of [
        [0, 0.8],
        [0.5, 1],
        [0.999_999, 1.2],
      ] as const) {
        const next = afterAttempt(afterTries(tries - 1), answered(500), { ...timing, random: () => random });
        expect(delayOf(next)).toBeCloseTo(delay * factor, 0);
      }
    },
  );

  it('ends after the tenth failure', () => {
    expect(afterAttempt(afterTries(9), answered(500), timing)).toMatchObject({
      status: 'exhausted',
      nextAttemptAt: null,
      tries: 10,
    });
  });

  it('starts again when a delivery is resent, and keeps the earlier attempts', () => {
    const exhausted = afterAttempt(afterTries(9), answered(500), timing);
    const reopened = reopenDelivery(exhausted, now.toISOString());
    expect(reopened).toMatchObject({ status: 'pending', tries: 0, nextAttemptAt: now.toISOString() });
    expect(reopened.attempts).toHaveLength(1);
  });

  it('keeps at most the last twenty attempts', () => {
    let delivery: Delivery = fresh;
    for (let round = 0; round < 50; round += 1)
      delivery = afterAttempt({ ...delivery, tries: 0 }, answered(500), timing);
    expect(delivery.attempts).toHaveLength(20);
  });

  it('runs faster with a higher configured speed', () => {
    expect(delayOf(afterAttempt(afterTries(1), answered(500), { ...timing, speed: 100 }))).toBe(3);
  });
});

describe('the pause for an overloaded server', () => {
  // The second attempt is due after 300 s: Retry-After counts between 300 and 600.
  it.each([
    { header: null, delay: 300 },
    { header: '', delay: 300 },
    { header: '0', delay: 300 },
    { header: '120', delay: 300 },
    { header: '400', delay: 400 },
    { header: '600', delay: 600 },
    { header: '1000000000', delay: 600 },
    { header: '-5', delay: 300 },
    { header: 'soon', delay: 300 },
    { header: '1e9', delay: 300 },
    { header: 'Sun, 01 Mar 2026 12:07:00 GMT', delay: 420 },
    { header: 'Sun, 01 Mar 2026 11:00:00 GMT', delay: 300 },
    { header: 'Fri, 01 Mar 2126 12:00:00 GMT', delay: 600 },
  ])('lasts $delay s for "Retry-After: $header"', ({ header, delay }) => {
    expect(delayOf(afterAttempt(afterTries(1), answered(429, header), timing))).toBe(delay);
  });

  it.each([{ outcome: answered(429) }, { outcome: answered(502) }, { outcome: answered(504) }, { outcome: timeout }])(
    'lasts a minute after the first attempt: $outcome.status $outcome.error',
    ({ outcome }) => expect(delayOf(afterAttempt(fresh, outcome, timing))).toBe(60),
  );

  it('reads Retry-After as seconds or a date, and ignores anything else', () => {
    expect([null, '7', ' 7 ', '7.5', '0x10', '2026', 'x'].map((header) => retryAfterSeconds(header, now))).toEqual([
      0, 7, 7, 0, 0, 2026, 0,
    ]);
  });
});

describe('an attempt to deliver', () => {
  it('ends the delivery when the server answers with a 2xx status', () => {
    expect(afterAttempt(fresh, answered(204), timing)).toMatchObject({ status: 'delivered', nextAttemptAt: null });
  });

  it('cancels the delivery when the server answers 410', () => {
    expect(afterAttempt(fresh, answered(410), timing)).toMatchObject({ status: 'cancelled', nextAttemptAt: null });
  });

  it.each([
    { outcome: answered(500), brief: true },
    { outcome: answered(503), brief: true },
    { outcome: { ...timeout, error: 'connection' as const }, brief: true },
    { outcome: answered(502), brief: false },
    { outcome: answered(504), brief: false },
    { outcome: answered(429), brief: false },
    { outcome: answered(404), brief: false },
    { outcome: answered(302), brief: false },
    { outcome: timeout, brief: false },
    { outcome: { ...timeout, error: 'tls' as const }, brief: false },
    { outcome: { ...timeout, error: 'blocked' as const }, brief: false },
    { outcome: answered(200), brief: false },
  ])('is repeated at once in the same call ($brief) after $outcome.status $outcome.error', ({ outcome, brief }) => {
    expect(isBriefFailure(afterTries(1), outcome)).toBe(brief);
    expect(isBriefFailure(afterTries(2), outcome)).toBe(false);
  });
});
