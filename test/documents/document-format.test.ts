import { describe, expect, it } from 'vitest';
import { chooseFormat } from '../../shared/documents/document-format.ts';

const chrome = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

describe('the format of a document', () => {
  it.each([
    ['', 'pdf'],
    ['*/*', 'pdf'],
    ['application/pdf', 'pdf'],
    ['application/pdf, */*;q=0.1', 'pdf'],
    ['application/*', 'pdf'],
    ['application/json', 'json'],
    ['application/json, text/plain, */*', 'json'],
    ['application/json;q=0.9, application/pdf', 'pdf'],
    ['APPLICATION/JSON', 'json'],
    ['text/html', 'html'],
    [chrome, 'html'],
    ['text/*', 'html'],
    ['text/html;q=0.5, application/pdf;q=0.6', 'pdf'],
    ['text/html;q=0, */*', 'pdf'],
    ['application/pdf;q=0, */*;q=0.5', 'html'],
    ['image/png', 'pdf'],
    ['nonsense;q=x,,;', 'pdf'],
    [`${'a/b,'.repeat(10_000)}`, 'pdf'],
  ])('is chosen by the Accept header: %.60j gives %s', (accept, format) =>
    expect(chooseFormat(undefined, accept)).toBe(format),
  );

  it.each(['pdf', 'html', 'json'] as const)('is %s when the query parameter names it', (format) => {
    expect(chooseFormat(format, 'application/json;q=0.5, text/html;q=0.4')).toBe(format);
  });

  it('follows the Accept header when the query parameter names an unknown format', () =>
    expect(chooseFormat('exe', 'application/json')).toBe('json'));
});
