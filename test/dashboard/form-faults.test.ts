import { expect, it } from 'vitest';
import { faultsOf } from '../../shared/dashboard/form-faults.ts';
import { faultSummary } from '../../shared/dashboard/parts.ts';
import { DomainError } from '../../shared/domain/errors.ts';

const refusalOf = (...faults: { path: string; message: string }[]) =>
  new DomainError('INVALID_REQUEST_PARAMETERS', 'Check the fields.', { faults });

/** What the API says, and what stands on the page of a form in English. */
it.each([
  ['url', 'must be an absolute https address', 'Enter an https address.'],
  ['support_email', 'must be an e-mail address', 'Enter an e-mail address, such as name@example.com.'],
  ['name', 'must have 1 to 100 characters', 'Enter 1 to 100 characters.'],
  ['name', 'contains what looks like a card number; never send card numbers', 'Do not enter card numbers.'],
  [
    'components[0].rate',
    'must be a decimal string of at most six places, such as "0.02" for 2 %',
    'Enter a rate in percent, and none where no tax is charged.',
  ],
  ['tax_id', 'nope is not a valid tax id of DE (EU VAT).', 'This tax id is not valid in this country.'],
  ['region', 'ZZ is not a region of US.', 'ZZ is not a region of US.'],
  ['daily_refund_limit.amount', 'must be above 0', 'This entry is not valid. Check it, and try again.'],
])('an error in %s is explained in the language of the page: %s', (path, message, words) => {
  const names = { 'components[0].rate': 'rate_1', support_email: 'supportEmail' };
  const [fault] = faultsOf(refusalOf({ path, message }), { locale: 'en' }, names);
  expect(fault?.message).toBe(words);
});

it('two errors of a field with the same text are listed once', () => {
  const fault = { field: 'url', message: 'Enter an https address.' };
  const other = { ...fault, field: 'other' };
  const { text } = faultSummary(
    [fault, fault, other],
    Object.assign(() => '', { count: () => '', locale: 'en' }) as never,
  );
  expect(text.match(/<li>/g)).toHaveLength(2);
});
