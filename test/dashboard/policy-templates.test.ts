import { describe, expect, it } from 'vitest';
import { accessibilityText, imprintText } from '../../shared/dashboard/legal/policy-templates.ts';
import { locales } from '../../shared/pages/locale.ts';
import { AccessibilityInput, ImprintInput } from '../../shared/wire/catalogue/policy-form.ts';

const imprint = ImprintInput.parse({
  name: 'Example Books',
  legalForm: 'GmbH',
  address: 'Musterstraße 1\n10115 Berlin',
  email: 'help@example.com',
  phone: '+49 30 1234567',
  register: 'Amtsgericht Berlin, HRB 1',
  arbitration: 'no',
});

describe.each(locales)('a text that a form makes in %s', (locale) => {
  it('has every entry of an imprint once, and no row without an entry', () => {
    const text = imprintText(imprint, locale);
    for (const entry of ['Example Books · GmbH', 'Musterstraße 1', 'help@example.com', '+49 30 1234567', 'HRB 1'])
      expect(text.split(entry)).toHaveLength(2);
    expect(text.split('\n').filter((line) => /:\s*$/.test(line))).toEqual([]);
    expect(text).not.toMatch(/null|undefined|[{}]/);
  });

  it('lists the parts that are not accessible in the accessibility statement, and none if all parts are accessible', () => {
    const entered = {
      service: 'We sell e-books.',
      exceptions: 'Old PDF files.',
      email: 'help@example.com',
      checkedOn: '2026-11-23',
    };
    const partly = accessibilityText(AccessibilityInput.parse({ ...entered, status: 'partly' }), locale);
    expect(partly).toContain('Old PDF files.');
    expect(partly).toContain('help@example.com');
    expect(partly).toContain('2026');
    const full = accessibilityText(AccessibilityInput.parse({ ...entered, status: 'full' }), locale);
    expect(full).not.toContain('Old PDF files.');
    expect(full).toContain('EN 301 549');
  });
});

describe('the form of an imprint', () => {
  it.each([
    { fields: { phone: null }, path: 'phone' },
    { fields: { arbitration: 'yes' }, path: 'board' },
  ])('reports a missing entry at $path', ({ fields, path }) => {
    const { error } = ImprintInput.safeParse({ ...imprint, ...fields });
    expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
  });

  it('accepts a missing telephone number if there is another quick way of contact', () => {
    expect(ImprintInput.safeParse({ ...imprint, phone: null, otherWay: 'chat' }).success).toBe(true);
  });
});
