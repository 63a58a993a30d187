import * as z from 'zod';
import { createdFields, type ListTerms, onePaging, pageFields } from '../page.ts';

export const PayoutQuery = onePaging(z.strictObject({ ...pageFields, ...createdFields }));

/** The filters that reduce a search for payouts. */
export const payoutTerms: ListTerms = { narrowedBy: ['created_at_gte', 'created_at_lte'] };
