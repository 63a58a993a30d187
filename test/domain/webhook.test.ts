import { describe, expect, it } from 'vitest';
import { eventFilters, isOfDialect } from '../../shared/domain/webhooks/event-types.ts';
import {
  assertRoom,
  changeEndpoint,
  createEndpoint,
  disableEndpoint,
  mergeHeaders,
  rotateSecret,
  sendsMore,
  signingSecrets,
  type WebhookEndpoint,
  wantsEvent,
} from '../../shared/domain/webhooks/webhook.ts';
import { duePause, goodHealth, hasFailedForDays, pauseOf } from '../../shared/domain/webhooks/webhook-health.ts';
import { eventTypes } from '../../shared/events/catalogue.ts';

const now = '2026-03-01T12:00:00.000Z';
const fields = {
  url: 'https://a.example.com',
  description: '',
  filterTypes: null,
  headers: {},
  metadata: {},
  rateLimit: null,
  isDisabled: false,
};
const endpoint = createEndpoint(fields, { id: 'whk_1', now, secret: 'whsec_1' });

describe('an event filter', () => {
  const types = ['payment.succeeded', 'payment.failed', 'refund.succeeded', 'refund.failed'];
  it.each([
    { filter: null, wanted: [true, true, true, true] },
    { filter: ['payment.*'], wanted: [true, true, false, false] },
    { filter: ['refund.*'], wanted: [false, false, true, true] },
    { filter: ['payment.succeeded'], wanted: [true, false, false, false] },
    { filter: ['payment.failed', 'refund.failed'], wanted: [false, true, false, true] },
    { filter: ['dispute.opened', 'subscription.*'], wanted: [false, false, false, false] },
  ])('of $filter accepts $wanted', ({ filter, wanted }) => {
    expect(types.map((type) => wantsEvent({ ...endpoint, filterTypes: filter }, type))).toEqual(wanted);
  });

  const ownTypes = eventTypes.filter((type) => !isOfDialect(type));
  const accepted = (one: WebhookEndpoint) => ownTypes.filter((type) => wantsEvent(one, type));
  /** As version 0.2.0 stored it. */
  const { namesOwnTypes: _, ...early } = endpoint;

  it('names each own type, or accepts none: also a family of the API names none', () => {
    expect(ownTypes).toHaveLength(12);
    expect(accepted(endpoint)).toEqual([]);
    expect(accepted({ ...endpoint, filterTypes: ['payment.*', 'refund.*', 'dispute.*', 'license_key.*'] })).toEqual([]);
    expect(accepted({ ...endpoint, filterTypes: ['payment.fraud_warned', 'withdrawal.*'] })).toEqual([
      'payment.fraud_warned',
      'withdrawal.declared',
      'withdrawal.decided',
    ]);
    for (const type of ownTypes) expect(accepted({ ...endpoint, filterTypes: [type] })).toEqual([type]);
  });

  it('that version 0.2.0 left out accepts the own types of that version, until another filter replaces it', () => {
    const kept = ['tax_threshold.approached', 'tax_threshold.passed', 'checkout_session.expired'];
    expect(accepted(early)).toEqual(kept);
    expect(accepted(changeEndpoint(early, { description: 'x', filterTypes: null }, now))).toEqual(kept);
    const filtered = changeEndpoint(early, { filterTypes: ['payment.succeeded'] }, now);
    expect(accepted(filtered)).toEqual([]);
    expect(accepted(changeEndpoint(filtered, { filterTypes: null }, now))).toEqual([]);
  });

  const all = null;
  it.each([
    { from: all, to: all, isWider: false },
    { from: all, to: ['payment.*', 'subscription.active'], isWider: false },
    { from: all, to: ['payment.fraud_warned'], isWider: true },
    { from: all, to: ['withdrawal.*'], isWider: true },
    { from: all, to: ['tax_threshold.passed'], isWider: true },
    { from: ['payment.*'], to: ['payment.failed'], isWider: false },
    { from: ['payment.*'], to: ['payment.fraud_warned'], isWider: true },
    { from: ['payment.failed'], to: ['payment.*'], isWider: true },
    { from: ['payment.*'], to: all, isWider: true },
  ])('that changes from $from to $to is wider: $isWider', ({ from, to, isWider }) => {
    expect(sendsMore({ ...endpoint, filterTypes: from }, { filterTypes: to })).toBe(isWider);
  });

  it('of version 0.2.0 is not wider if it names what it had, and is with a family of it', () => {
    expect(sendsMore(early, { filterTypes: ['tax_threshold.passed', 'checkout_session.expired'] })).toBe(false);
    expect(sendsMore(early, { filterTypes: ['tax_threshold.*'] })).toBe(true);
  });

  it.each(eventTypes)('can name %s and its family', (type) => {
    expect(eventFilters).toContain(type);
    expect(eventFilters).toContain(`${type.replace(/\..*/, '')}.*`);
  });

  it('accepts no event for a disabled endpoint', () => {
    expect(wantsEvent({ ...endpoint, disabled: { reason: 'merchant', at: now } }, 'payment.succeeded')).toBe(false);
  });
});

describe('a webhook endpoint', () => {
  it('cannot be added when there are already twenty', () => {
    expect(() => assertRoom(19)).not.toThrow();
    expect(() => assertRoom(20)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST_PARAMETERS' }));
  });

  it('keeps the reason why it was disabled until it is enabled', () => {
    const gone = disableEndpoint(endpoint, 'gone', now) ?? endpoint;
    expect(changeEndpoint(gone, { isDisabled: true }, now).disabled?.reason).toBe('gone');
    expect(changeEndpoint(gone, { description: 'x' }, now).disabled?.reason).toBe('gone');
    expect(changeEndpoint(gone, { isDisabled: false }, now).disabled).toBeNull();
    expect(disableEndpoint(gone, 'failing', now)).toBeUndefined();
  });

  it('signs with each earlier secret for 24 hours after its rotation, with three of them at most', () => {
    const at = (hour: number) => new Date(Date.parse(now) + hour * 3_600_000);
    const once = rotateSecret(endpoint, 'whsec_2', at(0));
    const thrice = rotateSecret(rotateSecret(once, 'whsec_3', at(1)), 'whsec_4', at(2));
    expect(signingSecrets(once, at(23.9))).toEqual(['whsec_2', 'whsec_1']);
    expect(signingSecrets(once, at(24))).toEqual(['whsec_2']);
    expect(signingSecrets(thrice, at(2))).toEqual(['whsec_4', 'whsec_3', 'whsec_2', 'whsec_1']);
    expect(signingSecrets(thrice, at(24))).toEqual(['whsec_4', 'whsec_3', 'whsec_2']);
    expect(signingSecrets(thrice, at(26))).toEqual(['whsec_4']);
    expect(() => rotateSecret(thrice, 'whsec_5', at(23.9))).toThrow(
      expect.objectContaining({ code: 'CONFLICT', message: expect.stringContaining('2026-03-02T12:00:00.000Z') }),
    );
    expect(signingSecrets(rotateSecret(thrice, 'whsec_5', at(24)), at(24))).toHaveLength(4);
    expect(rotateSecret(thrice, 'whsec_5', at(30))).not.toHaveProperty('earlierSecrets');
  });

  it('keeps two secrets for version 0.2.0, even after three rotations', () => {
    const rotations = ['whsec_2', 'whsec_3', 'whsec_4'];
    const rotated = rotations.reduce((before, secret) => rotateSecret(before, secret, new Date(now)), endpoint);
    expect(rotated.secrets.map(({ value }) => value)).toEqual(['whsec_4', 'whsec_3']);
  });

  it('lets its headers be added, replaced in any letter case, and removed', () => {
    const before = { 'X-Shop': '1', Authorization: 'a' };
    expect(mergeHeaders(before, { 'x-shop': '2', 'X-New': '3', authorization: null })).toEqual({
      'x-shop': '2',
      'X-New': '3',
    });
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`x-${index}`, '']));
    expect(() => mergeHeaders({}, many)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST_PARAMETERS' }));
  });
});

describe('the health check of an endpoint', () => {
  const later = (hours: number) => new Date(Date.parse(now) + hours * 3_600_000);
  it('fails after five days and ten exhausted deliveries, not before', () => {
    const failing = { ...goodHealth, failingSince: now, exhausted: 10 };
    expect(hasFailedForDays(failing, later(119))).toBe(false);
    expect(hasFailedForDays(failing, later(121))).toBe(true);
    expect(hasFailedForDays({ ...failing, exhausted: 9 }, later(121))).toBe(false);
    expect(hasFailedForDays(goodHealth, later(1_000))).toBe(false);
  });

  it('pauses the endpoint for a minute after five timeouts in a row', () => {
    expect(duePause({ ...goodHealth, timeouts: 4 }, new Date(now))).toBeNull();
    const pausedUntil = duePause({ ...goodHealth, timeouts: 5 }, new Date(now));
    expect(pausedUntil).toBe('2026-03-01T12:01:00.000Z');
    expect(pauseOf({ ...goodHealth, pausedUntil }, new Date(now))).toBe(pausedUntil);
    expect(pauseOf({ ...goodHealth, pausedUntil }, new Date('2026-03-01T12:01:00.000Z'))).toBeNull();
  });
});
