import * as z from 'zod';
import { withCode } from './with-code.ts';

/** Whether a value of a field that is not supported asks for nothing. */
export const asksNothing = (value: unknown = null): boolean =>
  value === null || value === false || (Array.isArray(value) && value.length === 0);

/** The values that ask for nothing, for the published contract. */
const nothing = {
  anyOf: [{ type: 'null' }, { type: 'boolean', enum: [false] }, { type: 'array', maxItems: 0, items: {} }],
} as const;

const refusing = (fault: ReturnType<typeof withCode>) =>
  z.unknown().refine(asksNothing, fault).meta(nothing).optional();

/** Refuses a field of the API that is not supported, if it asks for something. */
export const unsupported = (why: string) =>
  refusing(withCode('INVALID_REQUEST_PARAMETERS', `is not supported${why}; leave it out`));

/**
 * The fault of a field that version 0.2.0 ignored. A stack whose merchant's file does not say `strictFields` leaves
 * such fields out of the request, and notes them by their path, or by `name`.
 */
export const newlyRefused = (message: string, name?: string) => {
  const { error, params } = withCode('INVALID_REQUEST_PARAMETERS', message);
  return { error, params: { ...params, wasIgnored: true, ...(name !== undefined && { name }) } };
};

/** The same as `unsupported` for a field that version 0.2.0 ignored. The advice says what to do instead. */
export const noLongerIgnored = (advice: string) => refusing(newlyRefused(`is not supported; ${advice}`));
