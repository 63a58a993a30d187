import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { distrust } from '../../../infra/local/demo/webhook-signature.ts';

/** The example that the standard publishes. */
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const timestamp = '1614265330';
const body = '{"test": 2432232314}';
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

const signed = { id, timestamp, signature };
const secondsLater = (seconds: number) => new Date((Number(timestamp) + seconds) * 1_000);

describe('a webhook is trusted', () => {
  it('with the signature of the published example', () => {
    expect(distrust(secret, signed, body, secondsLater(0))).toBeUndefined();
  });

  it('with one good signature among others, as after a rotation', () => {
    const several = { ...signed, signature: `v1,AAAA v2,${signature.slice(3)} ${signature}` };
    expect(distrust(secret, several, body, secondsLater(0))).toBeUndefined();
  });

  it.each([-300, 300])('within five minutes of its timestamp: %d s', (seconds) => {
    expect(distrust(secret, signed, body, secondsLater(seconds))).toBeUndefined();
  });

  it('when the reference implementation signed it', () => {
    const now = new Date();
    const theirs = new Webhook(secret).sign(id, now, body);
    const headers = { id, timestamp: String(Math.floor(now.getTime() / 1_000)), signature: theirs };
    expect(distrust(secret, headers, body, now)).toBeUndefined();
  });
});

describe('a webhook is not trusted', () => {
  it.each([
    ['with a changed body', signed, `${body} `, 'no signature matches'],
    ['with another id', { ...signed, id: 'msg_other' }, body, 'no signature matches'],
    ['with another timestamp', { ...signed, timestamp: '1614265331' }, body, 'no signature matches'],
    ['with another version', { ...signed, signature: signature.replace('v1', 'v2') }, body, 'no signature matches'],
    ['with half a signature', { ...signed, signature: signature.slice(0, 20) }, body, 'no signature matches'],
    ['with an empty signature', { ...signed, signature: 'v1,' }, body, 'no signature matches'],
    ['without a signature', { ...signed, signature: undefined }, body, 'a signature header is missing'],
    ['without an id', { ...signed, id: undefined }, body, 'a signature header is missing'],
    ['without a timestamp', { ...signed, timestamp: undefined }, body, 'a signature header is missing'],
    ['with words for a timestamp', { ...signed, timestamp: 'today' }, body, 'the timestamp is not a number of seconds'],
  ])('%s', (_, headers, text, reason) => {
    expect(distrust(secret, headers, text, secondsLater(0))).toBe(reason);
  });

  it('with the secret of another endpoint', () => {
    expect(distrust('whsec_AAAA', signed, body, secondsLater(0))).toBe('no signature matches');
  });

  it.each([
    [301, 'the timestamp is too old'],
    [-301, 'the timestamp lies in the future'],
  ])('more than five minutes from its timestamp: %d s', (seconds, reason) => {
    expect(distrust(secret, signed, body, secondsLater(seconds))).toBe(reason);
  });
});
