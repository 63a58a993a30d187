import * as z from 'zod';
import type { Grant, GrantStatus } from '../../domain/entitlements/grant.ts';
import { type ListTerms, onePaging, pageFields } from '../page.ts';
import { idOf } from '../values.ts';
import { filterTypes } from './entitlement-query.ts';
import { grantStates } from './grant.ts';

const state = z.enum(Object.values(grantStates) as (typeof grantStates)[GrantStatus][]).optional();

export const GrantQuery = onePaging(
  z.strictObject({ ...pageFields, customer_id: idOf('cus').optional(), status: state }),
);

export const CustomerGrantQuery = onePaging(
  z.strictObject({ ...pageFields, integration_type: z.enum(filterTypes).optional(), status: state }),
);

interface Wanted {
  customer_id?: string | undefined;
  integration_type?: string | undefined;
  status?: string | undefined;
}

/** Whether a grant matches a query. */
export const matchesGrant =
  ({ customer_id: customer, integration_type: type, status }: Wanted) =>
  (grant: Grant): boolean =>
    (!customer || grant.customerId === customer) &&
    (!type || grant.type === type) &&
    (!status || grantStates[grant.status] === status);

/** The limits of a list of grants. The list of files of one grant may have 300 kB. */
export const grantTerms: ListTerms = { mostItemBytes: 300_000 };
