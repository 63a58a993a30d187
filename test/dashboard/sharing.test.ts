import jsqr from 'jsqr';
import { describe, expect, it } from 'vitest';
import { type LinkChoice, productLink } from '../../shared/dashboard/sharing/link-choice.ts';
import { qrCode } from '../../shared/dashboard/sharing/qr-code.ts';
import type { Price } from '../../shared/domain/catalogue/price.ts';
import { newProduct } from '../../shared/domain/catalogue/product.ts';

/** The decoder, as a bundler or as Node imports its module. */
const { default: decode = jsqr as unknown as typeof jsqr.default } = jsqr;
const scale = 3;

/** Paints the SVG as a printer would, and reads it with the decoder of another library. */
function readBack(svg: string): string | undefined {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  const side = size * scale;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  const [, dark = ''] = /<path fill="#000" d="([^"]*)"/.exec(svg) ?? [];
  for (const [, x, y, width] of dark.matchAll(/M(\d+) (\d+)h(\d+)v1H\1z/g))
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1)
      for (let column = Number(x) * scale; column < (Number(x) + Number(width)) * scale; column += 1)
        pixels.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
  return decode(pixels, side, side)?.data;
}

const publicUrl = 'https://pay.example.com';
const chosen: Price = {
  kind: 'pay_what_you_want',
  currency: 'EUR',
  taxInclusive: true,
  minimum: 500,
  suggested: null,
  maximum: 50_000,
};
const fields = {
  name: 'Guide',
  description: 'A guide',
  brandId: 'brnd_1',
  taxCategory: 'e_book',
  metadata: {},
} as const;
const product = (price: Price = chosen) =>
  newProduct({ ...fields, price }, { id: 'pdt_aaaaaaaaaaaaaaaaaaaaa', now: '2026-03-01T00:00:00.000Z' });
const home = `${publicUrl}/buy/pdt_aaaaaaaaaaaaaaaaaaaaa`;
const choice = (entries: Partial<LinkChoice> = {}): LinkChoice => ({
  quantity: '',
  amount: '',
  discount: '',
  language: '',
  ...entries,
});

describe('the QR code', () => {
  it.each([
    home,
    `${home}?lang=he&quantity=12&amount=1500&discount=SUMMER25`,
    `http://localhost:4190/buy/pdt_bbbbbbbbbbbbbbbbbbbbb?discount=${'X'.repeat(40)}`,
    `https://kasse.example.com/${'a'.repeat(300)}`,
  ])('decodes to the link %s', (url) => {
    expect(readBack(qrCode(url, 'QR code').text)).toBe(url);
  });

  it('has no style or script, which the page’s security policy forbids, and escapes its title', () => {
    const svg = qrCode(home, 'A "name" <b>').text;
    expect(svg).not.toMatch(/style|<script|href|\bon\w+=/);
    expect(svg).toContain('aria-label="A &quot;name&quot; &lt;b&gt;"');
  });
});

describe('the link of a product', () => {
  it.each<[Partial<LinkChoice>, string]>([
    [{}, ''],
    [{ quantity: '1' }, ''],
    [{ quantity: '3' }, '?quantity=3'],
    [{ amount: '15.00' }, '?amount=1500'],
    [{ discount: 'A&B #1' }, '?discount=A%26B+%231'],
    [{ language: 'he' }, '?lang=he'],
    [{ language: 'xx' }, ''],
    [{ quantity: '2', amount: '7', discount: 'X', language: 'de' }, '?lang=de&quantity=2&amount=700&discount=X'],
  ])('contains the option %j as %j', (entries, query) => {
    expect(productLink({ product: product(), choice: choice(entries), publicUrl, locale: 'en' })).toEqual({
      url: `${home}${query}`,
      faults: [],
    });
  });

  it.each<[Partial<LinkChoice>, keyof LinkChoice]>([
    [{ quantity: '0' }, 'quantity'],
    [{ quantity: '1001' }, 'quantity'],
    [{ quantity: 'two' }, 'quantity'],
    [{ amount: '4.99' }, 'amount'],
    [{ amount: '500.01' }, 'amount'],
    [{ amount: 'ten' }, 'amount'],
  ])('leaves out the option %j, which no buyer could use', (entries, field) => {
    expect(productLink({ product: product(), choice: choice(entries), publicUrl, locale: 'en' })).toEqual({
      url: home,
      faults: [field],
    });
  });
});
