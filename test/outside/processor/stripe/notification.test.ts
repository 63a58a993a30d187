import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import type { NotificationRefused } from '../../../../shared/domain/processor.ts';
import {
  assertSigned,
  hintsOf,
  maxNotificationBytes,
  stripeNotifications,
} from '../../../../shared/outside/processor/stripe/notification.ts';
import { between, campaign, pickOne, seeded, times } from '../../../support/seeded.ts';

const stripe = new Stripe('sk_test_1');
const secret = 'whsec_of_now';
const former = 'whsec_of_before';
const now = new Date('2026-11-22T10:00:00.000Z');
const seconds = Math.floor(now.getTime() / 1_000);

const hex = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex');
const signed = (body: string, { key = secret, at = seconds } = {}) => `t=${at},v1=${hex(key, `${at}.${body}`)}`;

const event = (type: string, object: object, fields: object = {}) =>
  JSON.stringify({ id: 'evt_1', object: 'event', type, livemode: false, data: { object }, ...fields });
const body = event('checkout.session.completed', {
  id: 'cs_1',
  client_reference_id: 'pay_1',
  metadata: { payment_id: 'pay_1', merchant_id: 'demo' },
});
const bytes = (text: string) => new TextEncoder().encode(text);

const check = (header: string | undefined, text = body, secrets = [secret]) =>
  assertSigned({ header, raw: bytes(text) }, { secrets, now });

/** Why it was refused; undefined where it was not. */
function reasonOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as NotificationRefused).reason;
  }
}

describe('the signature of a notification from Stripe', () => {
  it('is accepted from either of two secrets during a rotation', () => {
    for (const key of [secret, former])
      expect(reasonOf(() => check(signed(body, { key }), body, [secret, former]))).toBeUndefined();
    const both = `t=${seconds},v1=${hex(former, `${seconds}.${body}`)},v1=${hex(secret, `${seconds}.${body}`)}`;
    expect(reasonOf(() => check(both))).toBeUndefined();
  });

  it.each([
    { name: 'none', header: undefined },
    { name: 'an empty one', header: '' },
    { name: 'another secret’s', header: signed(body, { key: former }) },
    { name: 'another body’s', header: signed(`${body} `) },
    { name: 'one without its time', header: `v1=${hex(secret, `${seconds}.${body}`)}` },
    { name: 'one with two times', header: `t=${seconds},${signed(body)}` },
    { name: 'one of an older scheme', header: signed(body).replace('v1=', 'v0=') },
    { name: 'a short one', header: signed(body).slice(0, -2) },
    { name: 'one in capitals', header: `t=${seconds},v1=${hex(secret, `${seconds}.${body}`).toUpperCase()}` },
    { name: 'the empty secret’s', header: signed(body, { key: '' }), secrets: [''] },
    { name: 'one where no secret is known', header: signed(body), secrets: [] },
  ])('is refused: $name', ({ header, secrets }) => {
    expect(reasonOf(() => check(header, body, secrets ?? [secret]))).toBe('signature');
  });

  it.each([
    { age: 300, reason: undefined },
    { age: 301, reason: 'age' },
    { age: -300, reason: undefined },
    { age: -301, reason: 'age' },
  ])('that was made $age seconds ago gives the result $reason', ({ age, reason }) => {
    expect(reasonOf(() => check(signed(body, { at: seconds - age })))).toBe(reason);
  });

  it('is not computed for a body that is too large', () => {
    const large = 'x'.repeat(maxNotificationBytes + 1);
    expect(reasonOf(() => check(signed(large), large))).toBe('size');
    const most = 'x'.repeat(maxNotificationBytes);
    expect(reasonOf(() => check(signed(most), most))).toBeUndefined();
  });

  it('is accepted exactly when Stripe’s own verifier accepts it, except where ours is stricter', () => {
    const random = seeded(15);
    const outcomes = { accepted: 0, refused: 0 };
    for (const _ of times(campaign(200_000, 2_000))) {
      const at = seconds - between(random, -10, 320);
      const header = mutated(signed(body, { key: pickOne(random, [secret, former]), at }), random);
      const ours = reasonOf(() => check(header)) === undefined;
      const theirs = isAcceptedByStripe(header);
      if (ours) expect({ header, theirs }).toEqual({ header, theirs: true });
      if (!ours && theirs) expect(isStricterOn(header), header).toBe(true);
      outcomes[ours ? 'accepted' : 'refused'] += 1;
    }
    expect(outcomes.accepted).toBeGreaterThan(100);
    expect(outcomes.refused).toBeGreaterThan(100);
  });
});

function isAcceptedByStripe(header: string): boolean {
  try {
    stripe.webhooks.constructEvent(body, header, secret, 300, undefined, now.getTime());
    return true;
  } catch {
    return false;
  }
}

/** Ours refuses two times, times that are no plain number, and what is signed in the far future. */
const isStricterOn = (header: string): boolean => {
  const timestamps = header.split(',').filter((part) => part.startsWith('t='));
  return (
    timestamps.length !== 1 ||
    !/^t=\d{1,12}$/.test(timestamps[0] ?? '') ||
    Number(timestamps[0]?.slice(2)) - seconds > 300
  );
};

/** The header as it was, or with one thing changed. */
function mutated(header: string, random: () => number): string {
  const at = between(random, 0, header.length - 1);
  return pickOne(random, [
    header,
    header,
    `${header.slice(0, at)}${pickOne(random, ['0', 'f', ',', '=', ' ', 't=1,', ''])}${header.slice(at + 1)}`,
    `${header},v1=${'0'.repeat(64)}`,
    `v1=${'a'.repeat(64)},${header}`,
    header.replace('t=', 't= '),
    `${header},t=${seconds}`,
  ]);
}

it.each([undefined, '', 't=1', 'v1=00', `t=${seconds}`])(
  'a notification with the signature %j is refused before any secret is read',
  async (header) => {
    const asked = () => Promise.reject(new Error('The parameter store is asked.'));
    const { read } = stripeNotifications({ isLive: false, signingSecrets: asked, now: () => now });
    await expect(read({ 'stripe-signature': header }, bytes(body))).rejects.toMatchObject({ reason: 'signature' });
  },
);

describe('the facts that are read from a notification', () => {
  const hints = (text: string, isLive = false) => hintsOf(bytes(text), isLive);

  it('are the payment, and its reference at the processor', () => {
    expect(hints(body)).toEqual([{ kind: 'charge', paymentId: 'pay_1', merchantId: 'demo', reference: 'cs_1' }]);
  });

  it.each([
    [
      'refund.failed',
      { id: 're_1', metadata: { refund_id: 'ref_1' }, payment_intent: 'pi_1' },
      { kind: 'refund', refundId: 'ref_1', reference: 're_1', transaction: 'pi_1' },
    ],
    [
      'refund.created',
      { id: 're_2', metadata: null, payment_intent: null },
      { kind: 'refund', refundId: null, reference: 're_2', transaction: null },
    ],
    [
      'charge.dispute.created',
      { id: 'du_1', payment_intent: 'pi_1' },
      { kind: 'dispute', reference: 'du_1', transaction: 'pi_1' },
    ],
    [
      'charge.updated',
      { id: 'ch_1', payment_intent: 'pi_1', metadata: { payment_id: 'pay_1', merchant_id: 'demo' } },
      { kind: 'fee', paymentId: 'pay_1', merchantId: 'demo' },
    ],
  ])('are read from the event %s', (type, object, hint) => {
    expect(hints(event(type, object))).toEqual([hint]);
  });

  it.each([
    ['another type', event('customer.created', { id: 'cus_1' })],
    ['another type, whose object has no id', event('balance.available', { object: 'balance' })],
    ['another type, whose object is formed otherwise', event('person.created', { id: 'p_1', metadata: { age: 7 } })],
    [
      'a session that is not ours',
      event('checkout.session.completed', { id: 'cs_1', client_reference_id: null, metadata: {} }),
    ],
    [
      'a session whose two ids differ',
      event('checkout.session.completed', {
        id: 'cs_1',
        client_reference_id: 'pay_2',
        metadata: { payment_id: 'pay_1', merchant_id: 'demo' },
      }),
    ],
  ])('are empty for the event %s', (_, text) => {
    expect(hints(text)).toEqual([]);
  });

  it('are refused for an event of the other mode, and for a body that is not an event', () => {
    expect(reasonOf(() => hints(body, true))).toBe('mode');
    for (const text of ['', 'null', '{}', '[1]', '{"id":1}']) expect(reasonOf(() => hints(text))).toBe('form');
    expect(reasonOf(() => hintsOf(new Uint8Array([0xff, 0xfe]), false))).toBe('form');
  });
});
