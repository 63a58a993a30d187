import { describe, expect, it } from 'vitest';
import { isLoopbackAddress, isPublicAddress } from '../../../shared/outside/webhooks/addresses.ts';
import { whyNotTarget } from '../../../shared/outside/webhooks/target.ts';
import { badAddresses, goodAddresses, loopbackSpellings } from './hostile-addresses.ts';

const policy = { allowsLoopback: false, ownHost: 'pay.example.com' };
const sandbox = { allowsLoopback: true, ownHost: 'pay.example.com' };

describe('an IP address', () => {
  it.each(badAddresses)('$address is not public: $why', ({ address }) => expect(isPublicAddress(address)).toBe(false));
  it.each(goodAddresses)('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));
  it.each(['', 'example.com', '1.2.3', '1.2.3.4.5', '0x7f.1', ':::', '8.8.8.8 '])('"%s" is not an address', (text) =>
    expect(isPublicAddress(text)).toBe(false),
  );
  it('counts as this machine’s own only in its usual spellings', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1'].every(isLoopbackAddress)).toBe(true);
    expect(['::ffff:127.0.0.1', '10.0.0.1', '8.8.8.8', 'localhost', '::'].some(isLoopbackAddress)).toBe(false);
  });
});

describe('a URL that spells 127.0.0.1', () => {
  it.each(loopbackSpellings)('as %s is refused', (host) => {
    expect(whyNotTarget(`https://${host}/hook`, policy)).toBeDefined();
  });
});

describe('a webhook URL', () => {
  it.each([
    'https://hook.example.com',
    'https://hook.example.com/a/b?c=d',
    'https://hook.example.com:443/',
    'https://hook.example.com:8443/',
    'https://8.8.8.8/hook',
    'https://[2606:4700::1111]/hook',
    'https://bücher.example/hook',
  ])('%s is accepted', (url) => expect(whyNotTarget(url, policy)).toBeUndefined());

  it.each([
    { url: 'http://hook.example.com', why: 'not encrypted' },
    { url: 'ftp://hook.example.com', why: 'another protocol' },
    { url: 'javascript://hook.example.com/%0aalert(1)', why: 'wp-calypso#109402' },
    { url: 'file:///etc/passwd', why: 'a file' },
    { url: 'data:text/plain,x', why: 'no host' },
    { url: 'hook.example.com', why: 'not absolute' },
    { url: '//hook.example.com', why: 'no protocol' },
    { url: '', why: 'empty' },
    { url: 'https://', why: 'no host' },
    { url: 'https://hook.example.com:80/', why: 'another port' },
    { url: 'https://hook.example.com:22/', why: 'another port' },
    { url: 'https://hook.example.com:9001/', why: 'the runtime’s port' },
    { url: 'https://user@hook.example.com/', why: 'a user' },
    { url: 'https://@hook.example.com/', why: 'an empty user' },
    { url: 'https://:@hook.example.com/', why: 'an empty user and password' },
    { url: 'https:@hook.example.com/', why: 'an empty user without slashes' },
    { url: 'https://user:secret@hook.example.com/', why: 'credentials' },
    { url: 'https://hook.example.com@127.0.0.1/', why: 'a host that looks like another' },
    { url: 'https://hook.example.com/#top', why: 'a fragment' },
    { url: 'https://hook.example.com/#', why: 'an empty fragment' },
    { url: 'https://localhost/', why: 'this machine' },
    { url: 'https://localhost./', why: 'this machine, with a dot' },
    { url: 'https://api.localhost/', why: 'this machine' },
    { url: 'https://metadata.google.internal/', why: 'internal' },
    { url: 'https://printer.local/', why: 'local' },
    { url: 'https://intranet/', why: 'a name without a domain' },
    { url: 'https://pay.example.com/webhooks', why: 'our own API' },
    { url: 'https://PAY.example.com./webhooks', why: 'our own API' },
    { url: 'https:\\\\hook.example.com', why: 'backslashes' },
    { url: 'https://hook.example.com/\tx', why: 'a control character' },
    {
      url: `https://${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.example.com/`,
      why: 'too long',
    },
  ])('$url is refused: $why', ({ url }) => expect(whyNotTarget(url, policy)).toBeDefined());

  it('on this machine is accepted in the local sandbox, and only by http', () => {
    expect(whyNotTarget('http://localhost:4001/hook', sandbox)).toBeUndefined();
    expect(whyNotTarget('http://127.0.0.1:4001/hook', sandbox)).toBeUndefined();
    expect(whyNotTarget('http://[::1]:4001/hook', sandbox)).toBeUndefined();
    expect(whyNotTarget('https://localhost:4001/hook', sandbox)).toBeDefined();
    expect(whyNotTarget('http://169.254.169.254/', sandbox)).toBeDefined();
    expect(whyNotTarget('http://hook.example.com/', sandbox)).toBeDefined();
    expect(whyNotTarget('http://localhost:4001/hook', policy)).toBeDefined();
  });
});
