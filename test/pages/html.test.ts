import { describe, expect, it } from 'vitest';
import { html } from '../../shared/pages/html.ts';
import { xssPayloads } from './xss-payloads.ts';

describe('the html template', () => {
  it('escapes every special character in text and attributes', () => {
    expect(html`<p title="${`<>"'&\``}">${`<>"'&\``}</p>`.text).toBe(
      '<p title="&lt;&gt;&quot;&#39;&amp;&#96;">&lt;&gt;&quot;&#39;&amp;&#96;</p>',
    );
  });

  it.each(xssPayloads)('adds no markup of %j', (payload) => {
    const { text } = html`<p title="${payload}">${payload}</p>`;
    expect(text.replaceAll(/&(?:amp|lt|gt|quot|#39|#96);/g, '')).toMatch(/^<p title="[^<>"'&`]*">[^<>"'&`]*<\/p>$/);
  });

  it('inserts nested markup unchanged, joins lists, and omits missing values', () => {
    const items = ['a', 'b'].map((item) => html`<li>${item}</li>`);
    expect(html`<ul>${items}</ul>${false}${null}${undefined}${0}`.text).toBe('<ul><li>a</li><li>b</li></ul>0');
  });

  it('escapes an object that only looks like markup', () => {
    const forged = { text: '<script>alert(1)</script>', toString: () => '<script>' };
    expect(() => html`${forged as never}`.text).toThrow();
  });

  it('refuses a value in an attribute without quotes', () => {
    expect(() => html`<p title=${'x'}>`).toThrow('A value needs quotes');
  });

  it.each([
    'https://example.com/?a=1&b=2',
    'http://localhost:4000/x',
    'http://127.0.0.1/x',
    'mailto:a@example.com',
    '/checkout/cks_1',
    '#email',
    '?lang=de',
  ])('allows a link to %s', (address) => {
    expect(html`<a href="${address}">x</a>`.text).toContain(`href="${address.replaceAll('&', '&amp;')}"`);
  });

  it.each([
    ...['javascript:alert(1)', ' javascript:alert(1)', 'java\nscript:alert(1)', 'data:text/html,x', 'vbscript:x'],
    ...['//evil.example', '/\\evil.example', 'http://evil.example', 'http://localhost.evil.example', 'ftp://x', 'x'],
  ])('replaces the unsafe address %j with an empty one', (address) => {
    expect(html`<a href="${address}">x</a><img src="${address}"><form action="${address}">`.text).toBe(
      '<a href="">x</a><img src=""><form action="">',
    );
  });
});
