import * as z from 'zod';

/** The kinds of entitlement that a purchase can give, by their names in the API. */
export const entitlementTypes = ['digital_files', 'license_key', 'feature_flag'] as const;
export type EntitlementType = (typeof entitlementTypes)[number];

/** What a line of a checkout or payment gives. Name and type do not change after the checkout is opened. */
export const LineEntitlement = z.object({ id: z.string(), name: z.string(), type: z.enum(entitlementTypes) });
export type LineEntitlement = z.infer<typeof LineEntitlement>;
