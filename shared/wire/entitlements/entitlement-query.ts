import * as z from 'zod';
import { type EntitlementType, entitlementTypes } from '../../domain/entitlements/line-entitlement.ts';
import { type ListTerms, onePaging, pageFields } from '../page.ts';

/** The types of the API that a query can name. Types that do not exist here match nothing. */
export const filterTypes = [...entitlementTypes, 'discord', 'telegram', 'github', 'figma', 'framer', 'notion'] as const;

export const EntitlementQuery = onePaging(
  z.strictObject({ ...pageFields, integration_type: z.enum(filterTypes).optional() }),
);

/** Whether an entitlement has the type of a query. */
export const matchesEntitlement =
  ({ integration_type: wanted }: z.output<typeof EntitlementQuery>) =>
  ({ type }: { type: EntitlementType }): boolean =>
    !wanted || type === wanted;

/** The limits of a list of entitlements. The metadata of one entitlement may have 100 kB. */
export const entitlementTerms: ListTerms = { mostItemBytes: 300_000 };
