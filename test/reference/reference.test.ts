import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { operations } from '../../infra/reference/contract.ts';
import { markdownHtml } from '../../infra/reference/markdown.ts';
import { referenceFiles, siteModule, sitePages } from '../../infra/reference/site.ts';
import { deflatedPages, docsStylesHash } from '../../shared/docs/built.ts';

const root = new URL('../../', import.meta.url);
const pages = sitePages();

describe('the reference', () => {
  it('is built from the contract and the guides: run `npm run docs`', () => {
    for (const [file, text] of Object.entries(referenceFiles())) {
      const path = new URL(`docs/${file}`, root);
      if (process.env['UPDATE_DOCS']) writeFileSync(path, text);
      else expect(readFileSync(path, 'utf8') === text, `docs/${file} is current`).toBe(true);
    }
    const built = new URL('shared/docs/built.ts', root);
    if (process.env['UPDATE_DOCS']) return writeFileSync(built, siteModule());
    const served = Object.entries(deflatedPages).map(([slug, text]) => [
      slug,
      inflateRawSync(Buffer.from(text, 'base64')).toString(),
    ]);
    expect(Object.keys(deflatedPages)).toEqual(Object.keys(pages));
    for (const [slug = '', text] of served) expect(text === pages[slug], `${slug} is current`).toBe(true);
    return undefined;
  });

  it('has every operation of the contract once, and lists it on the first page', () => {
    const text = Object.values(referenceFiles()).join('\n');
    expect(operations.length).toBeGreaterThan(50);
    for (const { method, path, summary } of operations) {
      expect(text.split(`\n\`${method} ${path}\`\n`)).toHaveLength(2);
      expect(pages['index']).toContain(`>${summary}</a>`);
    }
  });
});

const anchorsIn = (text: string): string[] => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);

it.each(Object.entries(pages))('the links of /docs/%s lead to pages and headings that exist', (_, text) => {
  const links = [...text.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => href);
  const dead = links.filter((href) => {
    if (/^https:\/\//.test(href) || href === '/openapi.json') return false;
    const [, slug, anchor] = /^(?:\/docs\/?([\w-]*))?(?:#(.+))?$/.exec(href) ?? [];
    const target = href.startsWith('#') ? text : pages[slug || 'index'];
    return target === undefined || (anchor !== undefined && !anchorsIn(target).includes(anchor));
  });
  expect(dead).toEqual([]);
});

it.each(Object.entries(pages))('/docs/%s has one heading of the first order, no anchor twice, no script', (_, text) => {
  expect(text.match(/<h1>/g)).toHaveLength(1);
  expect(anchorsIn(text)).toEqual([...new Set(anchorsIn(text))]);
  expect(text).not.toMatch(/<script|<[^>]*(?:\son\w+=|javascript:)/);
  expect(text.match(/<style>/g)).toHaveLength(1);
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? [];
  expect(`'sha256-${createHash('sha256').update(style).digest('base64')}'`).toBe(docsStylesHash);
});

describe('Markdown', () => {
  const render = (text: string) => markdownHtml(text, (href) => (href.endsWith('.ts') ? undefined : href)).text;

  it.each([
    ['<script>alert(1)</script>', ''],
    ['a <b onclick="x">c</b>', '<p>a &lt;b onclick=&quot;x&quot;&gt;c&lt;/b&gt;</p>'],
    ['[x](javascript:alert%281%29)', '<p><a href="">x</a></p>'],
    ['[x](../code.ts)', '<p>x</p>'],
    ['`a < b & c`', '<p><code>a &lt; b &amp; c</code></p>'],
    ['**a** and *b*', '<p><strong>a</strong> and <em>b</em></p>'],
    ['a &amp; b', '<p>a &amp; b</p>'],
  ])('%s is %s', (text, markup) => expect(render(text).trim()).toBe(markup));
});
