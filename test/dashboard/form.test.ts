import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDay } from '../../shared/dashboard/calendar-day.ts';
import { parseDashboardForm } from '../../shared/dashboard/form.ts';
import { rateOf } from '../../shared/dashboard/tax/tax-entries.ts';

/** What a browser makes of a form, by the runtime's own encoder. */
async function encode(
  fields: readonly (readonly [string, string | Blob, string?])[],
): Promise<{ type: string; bytes: Buffer }> {
  const form = new FormData();
  for (const [name, value, fileName] of fields)
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, fileName);
  const request = new Request('http://localhost', { method: 'POST', body: form });
  return { type: request.headers.get('content-type') ?? '', bytes: Buffer.from(await request.arrayBuffer()) };
}

const blob = (bytes: Uint8Array): Blob => new Blob([new Uint8Array(bytes)]);

describe('a form with an uploaded file', () => {
  it('is read unchanged: fields, several values for one name, and the bytes of the file', async () => {
    const image = Buffer.from('\x89PNG\r\n\x1a\n--boundary\r\n\0\xff', 'latin1');
    const { type, bytes } = await encode([
      ['name', ' Field “Guide” '],
      ['type', 'a'],
      ['type', 'b'],
      ['image', blob(image), 'cover.png'],
    ]);
    const form = await parseDashboardForm(type, bytes);
    expect([form.text('name'), form.all('type'), form.text('missing'), form.has('name')]).toEqual([
      'Field “Guide”',
      ['a', 'b'],
      '',
      true,
    ]);
    expect(form.file('image')).toEqual(image);
    expect(form.has('image')).toBe(false);
  });

  it('has no file when the user chose none', async () => {
    const head = 'Content-Disposition: form-data; name="image"; filename=""\r\nContent-Type: application/octet-stream';
    const bytes = Buffer.from(`--x\r\n${head}\r\n\r\n\r\n--x--\r\n`);
    expect((await parseDashboardForm('multipart/form-data; boundary=x', bytes)).file('image')).toBeUndefined();
  });

  it('is read correctly with any bytes in the file and any text in a field', async () => {
    const property = fc.asyncProperty(
      fc.uint8Array({ minLength: 1, maxLength: 500 }),
      fc.string({ unit: 'grapheme' }),
      async (content, text) => {
        const { type, bytes } = await encode([
          ['text', text],
          ['image', blob(content), 'x'],
        ]);
        const form = await parseDashboardForm(type, bytes);
        expect(form.file('image')).toEqual(Buffer.from(content));
        expect(form.text('text')).toBe(text.replaceAll(/\r\n|\r|\n/g, '\r\n').trim());
      },
    );
    await fc.assert(property, { numRuns: 200 });
  });

  it('is refused when its body is not a form, but every text is a valid urlencoded form', async () => {
    const property = fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const refused = { code: 'UNSUPPORTED_MEDIA_TYPE' };
      await expect(parseDashboardForm('multipart/form-data; boundary=x', Buffer.from(bytes))).rejects.toMatchObject(
        refused,
      );
      await parseDashboardForm('application/x-www-form-urlencoded', Buffer.from(bytes));
    });
    await fc.assert(property);
  });

  it.each([
    ['multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n', '--x--\r\n'],
    ['application/x-www-form-urlencoded', 'a=b&', ''],
  ])('sent as %s may have 200 fields; a form with more is refused, not cut', async (type, field, end) => {
    const form = (count: number) => parseDashboardForm(type, Buffer.from(field.repeat(count) + end));
    expect((await form(200)).all('a')).toHaveLength(200);
    for (const count of [201, 50_000]) await expect(form(count)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });

  it.each(['', 'application/json', 'text/plain', 'multipart/form-data', 'multipart/mixed; boundary=x'])(
    'is refused with the content type %j',
    async (type) => {
      const refused = { code: 'UNSUPPORTED_MEDIA_TYPE' };
      await expect(parseDashboardForm(type, Buffer.from('a=b'))).rejects.toMatchObject(refused);
    },
  );
});

it.each([
  ['19', '0.19'],
  ['7.25', '0.0725'],
  ['7,25', '0.0725'],
  ['9.975', '0.09975'],
  ['100', '1.00'],
  ['0', '0.00'],
  ['5 %', '0.05'],
  ['4.81%', '0.0481'],
])('%s percent is read as the rate %s', (percent, rate) => expect(Number(rateOf(percent))).toBe(Number(rate)));

it.each(['', 'many', '-5', '1e2', '7.12345', '1000'])(
  '%j is no percentage, and is passed on unchanged to the check that refuses it',
  (typed) => expect(rateOf(typed)).toBe(typed),
);

it('a date field accepts only real calendar days', () => {
  expect(['2026-02-28', '2028-02-29'].map(isDay)).toEqual([true, true]);
  expect(
    ['2026-02-29', '2026-02-30', '2026-13-01', '2026-1-1', '', 'today', '2026-03-01T00:00:00Z'].map(isDay),
  ).toEqual(Array(7).fill(false));
});
