import { describe, expect, it } from 'vitest';
import { isSame, isSameOrigin } from '../../shared/pages/form-guard.ts';

const publicUrl = 'https://pay.example.com';

describe('where a post comes from', () => {
  it.each([
    [{ 'sec-fetch-site': 'same-origin' }],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }],
    [{ origin: 'https://pay.example.com' }],
    [{ origin: 'null' }],
    [{}],
  ])('accepts %j', (headers) => {
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
  ])('refuses %j', (headers) => {
    expect(isSameOrigin(headers, publicUrl)).toBe(false);
  });
});

describe('the token of a form', () => {
  it.each([
    ['secret', true],
    ['', false],
    ['secre', false],
    ['secret ', false],
    ['SECRET', false],
  ])('%j is the session’s: %s', (given, expected) => {
    expect(isSame(given, 'secret')).toBe(expected);
  });
});
