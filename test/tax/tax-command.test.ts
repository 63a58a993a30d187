import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const tax = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['infra/commands/tax.ts', ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

describe('npm run tax', () => {
  it('prints the rate, the row, the step that found it, its validity, confidence and sources', () => {
    const { status, stdout } = tax('DE', 'e_book', '2026-03-01');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^DE e_book on 2026-03-01$/m);
    expect(stdout).toMatch(/^VAT +7 %, DE$/m);
    expect(stdout).toMatch(/^row +DE\/e_book\/2020-01-01 \(taxable\)$/m);
    expect(stdout).toMatch(/^found as +DE e_book, step 1 of 2$/m);
    expect(stdout).toMatch(/^holds +from 2020-01-01$/m);
    expect(stdout).toMatch(/^confidence +high$/m);
    expect(stdout).toMatch(/^sources +github\.com/m);
  });

  it('prints two taxes in Québec, and finds territories by postal code', () => {
    expect(tax('CA-QC', 'saas').stdout).toMatch(/^GST +5 %, CA\nQST +9\.975 %, CA-QC$/m);
    expect(tax('ES', 'saas', '--postal-code', '35001').stdout).toMatch(/ES-CN: no_tax$/m);
  });

  it('says that the table does not know a sale', () => {
    const { status, stdout } = tax('US-TX', 'edtech');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^row +none/m);
    expect(stdout).toMatch(/^warnings +unsupported$/m);
  });

  it.each([
    ['nothing', [], 'A place and a category are needed'],
    ['an unknown category', ['DE', 'books'], 'books is no category'],
    ['an unknown country', ['QQ', 'saas'], 'QQ is not'],
    ['a missing state', ['US', 'saas'], 'taxed by state or province'],
    ['a month', ['DE', 'saas', '2026-02'], '2026-02 is no date'],
    ['a day that is no day', ['DE', 'saas', '2026-02-30'], '2026-02-30 is no date'],
    ['an unknown option', ['DE', 'saas', '--fast'], '--fast'],
  ])('exits 2 on %s and says what is wrong and how it is used', (_, args, message) => {
    const { status, stdout, stderr } = tax(...args);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(message);
    expect(stderr).toContain('Usage: npm run tax');
  });
});
