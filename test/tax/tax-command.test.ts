import { describe, expect, it } from 'vitest';
import { runTax } from '../../infra/commands/tax.ts';
import { typed, typedInShell } from '../support/wire/command.ts';

const tax = (...args: string[]) => typed(runTax, args);

describe('npm run tax', () => {
  it('prints the rate, the row, the step that found it, its validity, confidence and sources', async () => {
    const { code, out } = await tax('DE', 'e_book', '2026-03-01');
    expect(code).toBe(0);
    expect(out).toMatch(/^DE e_book on 2026-03-01$/m);
    expect(out).toMatch(/^VAT +7 %, DE$/m);
    expect(out).toMatch(/^row +DE\/e_book\/2020-01-01 \(taxable\)$/m);
    expect(out).toMatch(/^found as +DE e_book, step 1 of 2$/m);
    expect(out).toMatch(/^holds +from 2020-01-01$/m);
    expect(out).toMatch(/^confidence +high$/m);
    expect(out).toMatch(/^sources +github\.com/m);
  });

  it('prints two taxes in Québec, and finds special territories by postal code', async () => {
    expect((await tax('CA-QC', 'saas')).out).toMatch(/^GST +5 %, CA\nQST +9\.975 %, CA-QC$/m);
    expect((await tax('ES', 'saas', '--postal-code', '35001')).out).toMatch(/ES-CN: no_tax$/m);
  });

  it('reports that the table has no answer for a sale', async () => {
    const { code, out } = await tax('US-TX', 'edtech');
    expect(code).toBe(0);
    expect(out).toMatch(/^row +none/m);
    expect(out).toMatch(/^warnings +unsupported$/m);
  });

  it.each([
    ['nothing', [], 'The command needs <place>'],
    ['an unknown category', ['DE', 'books'], 'not books'],
    ['an unknown country', ['QQ', 'saas'], 'QQ is not'],
    ['a missing state', ['US', 'saas'], 'taxed by state or province'],
    ['a month', ['DE', 'saas', '2026-02'], '2026-02 is not a date'],
    ['a day that is no day', ['DE', 'saas', '2026-02-30'], '2026-02-30 is not a date'],
    ['an unknown option', ['DE', 'saas', '--fast'], '--fast'],
  ])('exits with 2 on %s and says what is wrong', async (_, args, message) => {
    const { code, out, error } = await tax(...args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(error).toContain(message);
  });

  it('gives the same output and exit code when it runs as a process', async () => {
    const args = ['DE', 'e_book', '2026-03-01'];
    expect(await typedInShell('infra/commands/tax.ts', args, '')).toEqual(await tax(...args));
    expect(await typedInShell('infra/commands/tax.ts', ['DE'], '')).toEqual(await tax('DE'));
  });
});
