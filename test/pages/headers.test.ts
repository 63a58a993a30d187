import { describe, expect, it } from 'vitest';
import { checkoutStylesHash } from '../../shared/pages/assets/asset.ts';
import { assetHeaders, pageHeaders } from '../../shared/pages/headers.ts';
import { layoutHeaders } from '../../shared/pages/layout.ts';

const directives = (headers: Record<string, string>) =>
  Object.fromEntries(
    (headers['content-security-policy'] ?? '').split('; ').map((directive) => {
      const [name = '', ...values] = directive.split(' ');
      return [name, values.join(' ')];
    }),
  );

describe('the security headers of a page', () => {
  it('allow no resource of another origin, no inline code and no frames', () => {
    expect(directives(pageHeaders())).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'img-src': "'self'",
      'connect-src': "'self'",
      'form-action': "'self'",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
    });
  });

  it('forbid caching and send no referrer', () => {
    expect(pageHeaders()).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
    });
  });

  it('allow images from the addresses where they are stored', () => {
    const images = ['https://a.example/1.png', 'https://a.example/2.png', null, 'https://b.example/3.png'];
    expect(directives(pageHeaders({ images }))['img-src']).toBe("'self' https://a.example https://b.example");
  });

  it('allow only the inline style with the right hash, and an icon inside the page', () => {
    const policy = directives(pageHeaders({ styles: ["'sha256-x='"], hasInlineIcon: true }));
    expect([policy['style-src'], policy['img-src'], policy['script-src']]).toEqual([
      "'sha256-x='",
      "'self' data:",
      "'self'",
    ]);
  });

  it.each([
    [null, `${checkoutStylesHash}`],
    ['#ff8800', `${checkoutStylesHash} 'self'`],
  ])('of the checkout allow style files only for a brand with the colour %s', (color, sources) => {
    const brand = { name: 'A', color, logo: 'https://cdn.example/logo.png', supportEmail: null };
    const policy = directives(layoutHeaders(brand));
    expect([policy['style-src'], policy['img-src']]).toEqual([sources, "'self' https://cdn.example data:"]);
  });

  it.each([
    ['https://shop.example:8443/done?x=1', "'self' https:"],
    ['http://127.0.0.1:3000/done', "'self' http:"],
    ['com.example.shop:/done', "'self' com.example.shop:"],
    [null, "'self'"],
  ])('allow a form that leads to %s to be redirected from there', (formTarget, sources) => {
    expect(directives(pageHeaders({ formTarget }))['form-action']).toBe(sources);
  });

  it.each([
    'https://evil.example; script-src *',
    'javascript:alert(1)',
    'data:text/html,x',
    'intent://x',
    'blob:https://x.example/1',
    'com.example.shop; script-src *:/x',
    'not an address',
    "https://x' *",
  ])('get no extra directive or source from the value %j', (address) => {
    const policy = directives(pageHeaders({ formTarget: address, images: [address] }));
    expect(Object.keys(policy)).toHaveLength(8);
    expect(policy['script-src']).toBe("'self'");
    expect(policy['form-action']).toMatch(/^'self'( https:)?$/);
    expect(policy['img-src']).toMatch(/^'self'( https:\/\/[a-z0-9.%;-]+)?$/);
  });
});

describe('the headers of a static file', () => {
  it('allow caching for ever, because its name changes with its content', () => {
    expect(assetHeaders('text/css; charset=utf-8')).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
  });
});
