import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pastedCodes } from '../../../shared/wire/entitlements/code-lines.ts';
import { licenseKeyFile } from '../../../shared/wire/entitlements/key-rows.ts';
import { cellsOf } from '../../../shared/wire/entitlements/table-lines.ts';

const customer = 'cus_000000000000000000001';
const product = 'pdt_000000000000000000001';
const heading = 'key,customer_id,product_id,activations_limit,expires_at';
const row = (key: string, more = ',') => `${key},${customer},${product},${more}`;
const keysOf = (text: string) => licenseKeyFile(text).rows.map(({ line, key }) => [line, key.key]);

describe('a file of licence keys', () => {
  it('contains all fields of the API, and a day as midnight UTC', () => {
    const { rows, faults } = licenseKeyFile(`${heading}\n${row('OLD-1', '3,2031-05-01')}\n${row('OLD-2')}`);
    const owner = { customerId: customer, productId: product };
    expect(rows.map(({ key }) => key)).toEqual([
      { key: 'OLD-1', ...owner, activationsLimit: 3, expiresAt: '2031-05-01T00:00:00.000Z' },
      { key: 'OLD-2', ...owner, activationsLimit: null, expiresAt: null },
    ]);
    expect(faults).toEqual([]);
  });

  it.each([
    [
      'a byte order mark and CRLF',
      `\uFEFF${heading}\r\n${row('A-1')}\r\n${row('A-2')}\r\n`,
      [
        [2, 'A-1'],
        [3, 'A-2'],
      ],
    ],
    ['quotes', `"Key","customer_id","product_id"\n"A ""1"", x","${customer}","${product}"`, [[2, 'A "1", x']]],
    ['semicolons', `key;customer_id;product_id\nA,1;${customer};${product}`, [[2, 'A,1']]],
    ['tabs and another order', `product_id\tkey\tcustomer_id\n${product}\tA;1\t${customer}`, [[2, 'A;1']]],
    ['empty lines and empty rows', `\n${heading}\n\n,,,,\n${row('A-1')}\n  \n`, [[5, 'A-1']]],
  ])('may have %s', (_, text, expected) => {
    expect(keysOf(text)).toEqual(expected);
  });

  it('has faults that name line and column, and a fault affects no other line', () => {
    const lines = [
      heading,
      row('"open'),
      row('x'.repeat(256)),
      `A-3,cus_x,${product},,`,
      `A-4,${customer},,,`,
      row('A-5', 'many,'),
      row('A-6', '0,'),
      row('A-7', ',soon'),
      row('A-8'),
    ];
    const { rows, faults } = licenseKeyFile(lines.join('\n'));
    expect(faults.map(({ line, column }) => `${line} ${column}`)).toEqual([
      '2 customer_id',
      '3 key',
      '4 customer_id',
      '5 product_id',
      '6 activations_limit',
      '7 activations_limit',
      '8 expires_at',
    ]);
    expect(faults.every(({ message }) => message.length > 5)).toBe(true);
    expect(rows.map(({ line }) => line)).toEqual([9]);
  });

  it('uses the product of the import for rows without a product', () => {
    const text = `key,customer_id,product_id\nA-1,${customer},\nA-2,${customer},pdt_000000000000000000002`;
    const rows = licenseKeyFile(text, { productId: product }).rows.map(({ body }) => body.product_id);
    expect(rows).toEqual([product, 'pdt_000000000000000000002']);
    expect(licenseKeyFile(`key,customer_id\nA-1,${customer}`, { productId: product }).rows).toHaveLength(1);
  });

  it('needs a heading with the right columns, and no others', () => {
    expect(licenseKeyFile('')).toMatchObject({ missing: ['key', 'customer_id', 'product_id'], rows: [] });
    expect(licenseKeyFile(`key,customer_id\nA,${customer}`)).toMatchObject({ missing: ['product_id'], rows: [] });
    expect(licenseKeyFile(`${heading},email\n${row('A-1')}`)).toMatchObject({ unknown: ['email'], rows: [] });
  });

  it('keeps the line numbers of ten thousand rows', () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => row(`KEY-${index}`));
    const rows = keysOf([heading, ...lines].join('\r\n'));
    expect([rows.length, rows.at(-1)]).toEqual([10_000, [10_001, 'KEY-9999']]);
  });
});

describe('the cells of a line', () => {
  it('are the quoted texts, with any characters in them', () => {
    const cell = fc.string().map((text) => text.replaceAll(/[\r\n]/g, '').trim());
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1 }), fc.constantFrom(',', ';', '\t'), (cells, separator) => {
        const line = cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(separator);
        expect(cellsOf(line, separator)).toEqual(cells);
      }),
    );
  });

  it('are only those of the first column in a file of codes', () => {
    expect(pastedCodes('\uFEFFCode;Shop\r\n"A;1";x\r\n\r\nA-2,x')).toEqual({ codes: ['A;1', 'A-2'], refused: [] });
  });
});
