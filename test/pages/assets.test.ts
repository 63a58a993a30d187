import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { builtModules } from '../../infra/browser-files.ts';
import { checkoutPage } from '../../shared/checkout-page/views/checkout-page.ts';
import { compressed } from '../../shared/http/page.ts';
import {
  asset,
  brandStylesheetName,
  checkoutStylesHash,
  findAsset,
  icon,
  script,
} from '../../shared/pages/assets/asset.ts';
import { checkoutScript, checkoutStyles } from '../../shared/pages/assets/built.ts';
import { findScript, htmxPath } from '../../shared/pages/assets/htmx.ts';
import { htmxName } from '../../shared/pages/assets/htmx-name.ts';
import { brandIcon, favicon } from '../../shared/pages/assets/icon.ts';
import { locales } from '../../shared/pages/locale.ts';
import { component, payWhatYouWant, quoteOf, session, sessionLine, view } from './builders.ts';

const maxCompressedBytes = 60_000;

const packaged = readFileSync(createRequire(import.meta.url).resolve(htmxPath), 'utf8');

it('the script consists of unchanged htmx and the checkout’s own code, and its file name is a hash of both', () => {
  expect(asset('htmx', 'js', 'text/javascript', packaged).name).toBe(htmxName);
  expect(findScript(script.name)?.body === `${packaged}\n${checkoutScript}`).toBe(true);
  expect(script.name).toBe(asset('checkout', 'js', '', `${htmxName}\n${checkoutScript}`).name);
  expect(findScript('checkout.js')).toBeUndefined();
});

it('the inline style is allowed by its hash, and its text cannot close the style element early', () => {
  const hash = createHash('sha256').update(checkoutStyles.text).digest('base64');
  expect(checkoutStylesHash).toBe(`'sha256-${hash}'`);
  expect(checkoutStyles.text).not.toMatch(/<|&\w+;|&#/);
});

describe('the files of the pages', () => {
  it('are up to date with the sources in `browser`: run `npm run pages`', () => {
    for (const [path, text] of Object.entries(builtModules()))
      expect(readFileSync(new URL(`../../shared/${path}`, import.meta.url), 'utf8')).toBe(text);
  });

  it('include an icon file with one picture of 32 pixels', () => {
    const bytes = Buffer.from(favicon, 'base64');
    const [width, pictures, size, start] = [bytes[6], bytes.readUInt16LE(4), bytes.readUInt32LE(14), bytes[18] ?? 0];
    expect([width, pictures, size]).toEqual([32, 1, bytes.length - start]);
    expect(bytes.subarray(start + 1, start + 4).toString()).toBe('PNG');
  });

  it.each([
    { of: 'its logo', brand: { name: 'Ada', logo: '/images/a.png', color: '#ffdd00' }, shows: 'href="/images/a.png"' },
    { of: 'its initial on its colour', brand: { name: 'élan', logo: null, color: '#ffdd00' }, shows: '>É</text>' },
    { of: 'a harmless initial', brand: { name: '<x', logo: null, color: null }, shows: '>&lt;</text>' },
  ])('include the icon of a brand: $of', ({ brand, shows }) => {
    expect(decodeURIComponent(brandIcon(brand).text)).toContain(shows);
  });

  it('are named after their content', () => {
    for (const { name } of [script, icon]) expect(name).toMatch(/^[a-z]+-[0-9a-f]{12}\.(js|svg)$/);
    expect(findAsset(icon.name)).toBe(icon);
  });

  it.each([
    ...['', 'checkout.css', 'checkout-000000000000.css', '../secret', 'brand-xyz.css', 'brand-12345.css'],
    ...['brand-123456.css;', 'brand-12345G.css', 'constructor', '__proto__'],
  ])('do not include %j', (name) => {
    expect(findAsset(name)).toBeUndefined();
  });

  it.each([
    ['#000000', '#fff'],
    ['#0b5c58', '#fff'],
    ['#ffffff', '#000'],
    ['#FFDD00', '#000'],
    ['#777777', '#000'],
  ])('have readable text in the brand colours: on %s in %s', (color, onBrand) => {
    expect(findAsset(brandStylesheetName(color))?.body).toBe(
      `:root{--brand:${color.toLowerCase()};--on-brand:${onBrand}}\n`,
    );
  });

  it('contain a script with valid syntax', () => {
    expect(() => new Function(script.bodyWith(packaged))).not.toThrow();
  });

  it('load nothing from other hosts', () => {
    for (const body of [checkoutStyles.text, checkoutScript, icon.body])
      expect(body.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|\/\/[a-z]|@import|url\(/);
  });
});

/** How much of a body goes over the wire to a browser that takes an encoding. */
function sentBytes(body: string, encoding: string): number {
  const event = {
    headers: { 'accept-encoding': encoding },
  } as Partial<APIGatewayProxyEventV2> as APIGatewayProxyEventV2;
  const sent = compressed(event, { statusCode: 200, headers: {}, body });
  expect(sent.headers).toHaveProperty('content-encoding', encoding);
  return Buffer.from(sent.body, 'base64').byteLength;
}

describe('the weight of a page', () => {
  const cart = Array.from({ length: 20 }, (_, index) =>
    sessionLine({
      productId: `pdt_${String(index).padStart(21, '0')}`,
      description: 'An example product. '.repeat(50),
      price: payWhatYouWant,
    }),
  );

  it.each(locales)('is at most 25 kB for a usual order, without images, in %s', (locale) => {
    const usual = session({ lines: [sessionLine(), sessionLine({ productId: 'pdt_2', price: payWhatYouWant })] });
    const page = checkoutPage(view({ session: usual, quote: quoteOf(usual, [component()]), context: { locale } }));
    expect(gzipSync(page).byteLength).toBeLessThan(25_000);
  });

  it.each(locales)('is at most 60 kB with everything, twenty lines and all countries in %s', (locale) => {
    const full = session({ lines: cart });
    const page = checkoutPage(
      view({ session: full, buyer: { country: 'US' }, quote: quoteOf(full, [component()]), context: { locale } }),
    );
    const bodies = [page, script.bodyWith(packaged)];
    for (const encoding of ['gzip', 'br'])
      expect(bodies.reduce((bytes, body) => bytes + sentBytes(body, encoding), 0)).toBeLessThan(maxCompressedBytes);
  });
});
