import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { localKey } from '../../infra/local/local-key.ts';
import { operations, type Shape } from '../../infra/reference/contract.ts';
import { typeOf } from '../../infra/reference/fields.ts';
import { markdownHtml } from '../../infra/reference/markdown.ts';
import { builtSite, referenceFiles, sitePages, siteTexts } from '../../infra/reference/site.ts';
import type { PageRequest } from '../../shared/http/page.ts';
import { docsPage } from '../../shared/site/docs-page.ts';

const root = new URL('../../', import.meta.url);
const pages = sitePages();
const site = builtSite();

describe('the API reference', () => {
  it('is up to date with the contract: run `npm run docs`', () => {
    for (const [file, text] of Object.entries(referenceFiles())) {
      const path = new URL(`docs/${file}`, root);
      if (process.env['UPDATE_DOCS']) writeFileSync(path, text);
      else expect(readFileSync(path, 'utf8') === text, `docs/${file} is current`).toBe(true);
    }
  });

  it('contains every operation of the contract once, and lists it on the first page', () => {
    const text = Object.values(referenceFiles()).join('\n');
    expect(operations.length).toBeGreaterThan(50);
    for (const { method, path, summary } of operations) {
      expect(text.split(`\n\`${method} ${path}\`\n`)).toHaveLength(2);
      expect(pages['index']).toContain(`>${summary}</a>`);
    }
  });
});

describe('the type of a field in the API reference', () => {
  const typed = (shape: object) => typeOf(shape as Shape);

  it.each<[object, string]>([
    [{ type: ['boolean', 'null'] }, 'boolean or null'],
    [{ anyOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }] }, 'string or null, at most 5 characters'],
    [{ type: 'string', minLength: 1, maxLength: 40 }, 'string, 1 to 40 characters'],
    [{ type: 'integer', minimum: -(2 ** 53 - 1), maximum: 9 }, 'integer, at most 9'],
    [{ type: 'string', format: 'starts_with' }, 'string'],
    [{ type: 'string', format: 'date' }, 'string, a day such as `2026-03-01`'],
    [{ type: 'array', maxItems: 0, items: {} }, 'empty list'],
    [{ type: 'null' }, 'always null'],
    [
      { anyOf: [{ type: 'null' }, { type: 'boolean', enum: [false] }, { type: 'array', maxItems: 0, items: {} }] },
      '`false` or empty list or null',
    ],
  ])('is written in words: %j as %s', (shape, words) => expect(typed(shape)).toBe(words));

  it('is written in plain language on every page, without JSON Schema terms', () => {
    const types = Object.values(referenceFiles()).flatMap((text) =>
      [...text.matchAll(/^\| `[^`]+`(?: \*\*required\*\*)? \| ([^|]*) \|/gm)].map(([, type = '']) => type.trim()),
    );
    expect(types.length).toBeGreaterThan(800);
    expect(
      types.filter((type) => /\w,\w|_|date-time|\buri\b|undefined|anything/.test(type.replace(/`[^`]*`/g, ''))),
    ).toEqual([]);
  });
});

describe('a page of the documentation', () => {
  const pageAt = (publicUrl: string, known?: string) =>
    docsPage(
      site,
      publicUrl,
    )({
      param: () => 'start',
      headers: known ? { 'if-none-match': known } : {},
    } as unknown as PageRequest);

  it('shows the address of its stack, and the local sandbox’s key only on the local sandbox', () => {
    const [here, there] = [pageAt('http://localhost:4100').body, pageAt('https://pay.example.com').body];
    expect(here).toContain('API=http://localhost:4100\nKEY=sk_test_LocalSandbox');
    expect(there).toContain('API=https://pay.example.com\nKEY=YOUR_API_KEY');
    expect(there).not.toMatch(/localhost:4000|LocalSandboxKey/);
  });

  it('gets another cache tag when the stack has another address', () => {
    const { etag = '' } = pageAt('https://pay.example.com').headers;
    expect(pageAt('https://pay.example.com', etag).statusCode).toBe(304);
    expect(pageAt('https://other.example.com', etag).statusCode).toBe(200);
  });

  it('replaces exactly the address and the key that the examples use', () => {
    expect(sitePages()['start']).toContain(`API=http://localhost:4000\nKEY=${localKey}`);
  });
});

const anchorsIn = (text: string): string[] => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);

it.each(Object.entries(pages))('all links of /docs/%s lead to existing pages and headings', (_, text) => {
  const links = [...text.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => href);
  const dead = links.filter((href) => {
    if (/^https:\/\//.test(href) || href === '/openapi.json') return false;
    const [, slug, anchor] = /^(?:\/docs\/?([\w-]*))?(?:#(.+))?$/.exec(href) ?? [];
    const target = href.startsWith('#') ? text : pages[slug || 'index'];
    return target === undefined || (anchor !== undefined && !anchorsIn(target).includes(anchor));
  });
  expect(dead).toEqual([]);
});

it.each(Object.entries(pages))(
  'the page /docs/%s has one first-level heading, no duplicate anchor and no script',
  (_, text) => {
    expect(text.match(/<h1>/g)).toHaveLength(1);
    expect(anchorsIn(text)).toEqual([...new Set(anchorsIn(text))]);
    expect(text).not.toMatch(/<script|<[^>]*(?:\son\w+=|javascript:)/);
    expect(text.match(/<style>/g)).toHaveLength(1);
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? [];
    expect(`'sha256-${createHash('sha256').update(style).digest('base64')}'`).toBe(site.stylesHash);
  },
);

describe('the documentation as text', () => {
  const texts = siteTexts();
  const linksIn = (text: string) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, href = '']) => (href.startsWith('https://') ? [] : [href]));
  const local = 'http://localhost:4000';

  it('has every page as Markdown, with its heading', () => {
    const names = Object.keys(pages).map((slug) => `${slug}.md`);
    expect(Object.keys(texts).toSorted()).toEqual([...names, 'llms.txt'].toSorted());
    for (const name of names) expect(texts[name]).toMatch(/^# \S/);
  });

  it.each(Object.entries(texts))('leads in /docs/%s only to addresses that exist', (_, text) => {
    const known = Object.keys(texts).map((name) => `${local}/docs/${name}`);
    const dead = linksIn(text).filter((href) => {
      const [address = ''] = href.split('#');
      return address !== '' && address !== '/openapi.json' && !known.includes(address);
    });
    expect(dead).toEqual([]);
  });

  it('lists in llms.txt every page but the first, with what it is about', () => {
    const listed = [
      ...(texts['llms.txt'] ?? '').matchAll(/^- \[.+\]\(http:\/\/localhost:4000\/docs\/(.+)\.md\): \S+/gm),
    ];
    expect(listed.map(([, slug]) => slug).toSorted()).toEqual(
      Object.keys(pages)
        .filter((slug) => slug !== 'index')
        .toSorted(),
    );
  });
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
  ])('is translated to HTML: %s becomes %s', (text, markup) => expect(render(text).trim()).toBe(markup));
});
