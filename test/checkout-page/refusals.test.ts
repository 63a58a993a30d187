import { expect, it } from 'vitest';
import { adviceOf } from '../../shared/checkout-page/form/refusals.ts';
import { DomainError, faultAt } from '../../shared/domain/errors.ts';
import { errorCodes } from '../../shared/http/problem.ts';
import { aSession } from '../support/shop/sessions.ts';

const paths = ['billing_address.street', 'billing_address.state', 'card', 'product_cart', 'tax_id'];

it.each(errorCodes)('The checkout page has its own text for %s, which does not depend on the API’s message', (code) => {
  const session = aSession([{ unitAmount: 1_999 }]);
  const adviceFor = (sentence: string) =>
    paths.map((path) =>
      adviceOf(new DomainError(code, sentence, { faults: [faultAt(path, sentence)] }), session, 'de'),
    );
  const advice = adviceFor('One sentence.');
  expect(adviceFor('Another one.')).toEqual(advice);
  expect(JSON.stringify(advice)).not.toContain('sentence');
});
