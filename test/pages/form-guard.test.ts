import { describe, expect, it } from 'vitest';
import { isSame, isSameOrigin } from '../../shared/pages/form-guard.ts';

const publicUrl = 'https://pay.example.com';

describe('the check of the origin of a posted form', () => {
  it.each([
    [{ 'sec-fetch-site': 'same-origin' }],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }],
    [{ origin: 'https://pay.example.com' }],
    [{ origin: 'null' }],
    [{}],
  ])('accepts the headers %j', (headers) => {
    expect(isSameOrigin(headers, publicUrl)).toBe(true);
  });

  it.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://pay.example.com' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'http://pay.example.com' }],
    [{ origin: 'https://pay.example.com.evil.example' }],
    [{ origin: '' }],
  ])('refuses the headers %j', (headers) => {
    expect(isSameOrigin(headers, publicUrl)).toBe(false);
  });
});

describe('the check of a form’s token', () => {
  it.each([
    ['secret', true],
    ['', false],
    ['secre', false],
    ['secret ', false],
    ['SECRET', false],
  ])('says whether %j is the token of the session: %s', (given, expected) => {
    expect(isSame(given, 'secret')).toBe(expected);
  });
});
