import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRecords } from '../../../infra/commands/integrator/import/csv-records.ts';

/** A cell with the characters that matter, and others. It has text, as a row without any is skipped. */
const cell = fc
  .array(fc.constantFrom('a', 'ü', '"', '""', ',', ';', '\n', '\r\n', '\r', ' ', "'", '='), { maxLength: 8 })
  .map((parts) => `x${parts.join('')}`);
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const lineBreaks = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;

describe('csvRecords', () => {
  it('reads every cell that was written in quotes, and knows the line of each row', () => {
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 6 });
    const ends = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(rows, ends, fc.constantFrom('', '\uFEFF'), (cells, end, mark) => {
        const text = ['h,i', ...cells.map((row) => row.map(quoted).join(','))].join(end);
        let line = 2;
        const expected = cells.map((row) => {
          const record = { line, cells: row };
          line += 1 + lineBreaks(row.join(' '));
          return record;
        });
        expect(csvRecords(mark + text)).toEqual({ records: [{ line: 1, cells: ['h', 'i'] }, ...expected] });
      }),
    );
  });

  it('ends for every text, and names a line of it where it is no CSV', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', ',', '\n', 'a', '\r') }), (text) => {
        const { records, fault } = csvRecords(text);
        const lines = lineBreaks(text) + 1;
        for (const { line } of [...records, ...(fault ? [fault] : [])]) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines);
        }
      }),
    );
  });

  it.each([
    { text: 'a;b\n1,5;2', cells: ['1,5', '2'], what: 'semicolons' },
    { text: 'a\tb\n1;5\t2', cells: ['1;5', '2'], what: 'tabs' },
    { text: 'a,b\n5" disk,2\n\n,\n', cells: ['5" disk', '2'], what: 'commas, with a quote inside a cell' },
  ])('separates cells by $what, and skips empty rows', ({ text, cells }) => {
    expect(csvRecords(text).records.slice(1)).toEqual([{ line: 2, cells }]);
  });

  it('names the line of a quote that is not closed, or that more text follows', () => {
    expect(csvRecords('a,b\n1,2\n"open,3\n4').fault).toMatchObject({ line: 3 });
    expect(csvRecords('a,b\n"1"2,3').fault).toMatchObject({ line: 2 });
  });
});
