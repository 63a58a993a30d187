import { describe, expect, it } from 'vitest';
import { playedAddress } from '../../../shared/outside/processor/played-address.ts';

describe('the address of a fake processor', () => {
  it.each(['http://127.0.0.1:4001', 'http://localhost:4001', undefined])('can be %s in a sandbox', (url) => {
    expect(playedAddress(url, false)).toBe(url);
  });

  it.each(['https://evil.example', 'http://127.0.0.1.evil.example', 'http://localhost@evil.example', 'localhost'])(
    'cannot be %s, because keys are sent there',
    (url) => {
      expect(() => playedAddress(url, false)).toThrow('may only lead to this machine');
    },
  );

  it('is refused on a live stage', () => {
    expect(() => playedAddress('http://127.0.0.1:4001', true)).toThrow('from a sandbox');
    expect(playedAddress(undefined, true)).toBeUndefined();
  });
});
